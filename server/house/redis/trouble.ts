import { SECOND } from '#contract/time.ts'
import type { Log } from '#server/house/log.ts'

/** A Redis without memory takes some calls between those that it refuses. The trouble ends after a time without refusal. */
const CALM_MS = 5 * SECOND

/** Logs once that Redis went away, or that it refuses calls or is slow, and once that this ended. */
export class RedisTrouble {
  readonly #log: Log
  #awaySinceMs: number | null = null
  #refusesSinceMs: number | null = null
  #refusedAtMs = 0
  #hasEnded = false

  constructor(log: Log) {
    this.#log = log
  }

  /** Records that a connection failed. `error` is null if the connection was closed. */
  away(error: unknown): void {
    if (this.#hasEnded || this.#awaySinceMs !== null) return
    this.#awaySinceMs = performance.now()
    this.#log.error(error === null ? {} : { error }, 'Redis is away: this node goes on alone')
  }

  back(): void {
    if (this.#awaySinceMs === null) return
    this.#log.warn({ lengthMs: sinceMs(this.#awaySinceMs) }, 'Redis is back')
    this.#awaySinceMs = null
  }

  /** Records that a call failed. Redis answers a call that it refuses, such as a write while its memory is full. */
  failed(error: unknown): void {
    if (error instanceof Error && error.name === ANSWERED) this.refused(error)
    else this.away(error)
  }

  /** Records that Redis refused a call, or answered too late. */
  refused(error: Error): void {
    this.#refusedAtMs = performance.now()
    if (this.#refusesSinceMs !== null) return
    this.#refusesSinceMs = this.#refusedAtMs
    this.#log.error({ error }, 'Redis refuses calls or is slow: this node goes on alone')
  }

  answered(): void {
    if (this.#refusesSinceMs === null || sinceMs(this.#refusedAtMs) < CALM_MS) return
    this.#log.warn({ lengthMs: sinceMs(this.#refusesSinceMs) }, 'Redis takes calls again')
    this.#refusesSinceMs = null
  }

  /** Ends the log lines, because the service closes its connections. */
  end(): void {
    this.#hasEnded = true
  }
}

/** The client's name of every error that Redis itself answered. */
const ANSWERED = 'ReplyError'

function sinceMs(at: number): number {
  return Math.round(performance.now() - at)
}
