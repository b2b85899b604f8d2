import type { Log } from '#server/house/log.ts'
import { isDatabaseAway, isWriteRefused } from './constraint.ts'

/** An outage ends no earlier than this time after the last failure. */
const STEADY_MS = 1_000

type Trouble = { begins: string; ends: string; sinceMs: number | null; lastMs: number }

/** Logs the beginning and the end of an outage of the database. Related errors are logged at level debug. */
export class Outages {
  readonly #log: Log
  readonly #known = new WeakSet<Error>()
  readonly #away = trouble('the database is away', 'the database is back')
  readonly #writes = trouble('the database takes no writes', 'the database takes writes again')

  constructor(log: Log) {
    this.#log = log
  }

  get away(): boolean {
    return this.#away.sinceMs !== null
  }

  get refusesWrites(): boolean {
    return this.#writes.sinceMs !== null
  }

  /** Records a failed statement. Returns false if the failure says nothing about the database as a whole. */
  failed(error: unknown): boolean {
    if (!(error instanceof Error) || !isDatabaseAway(error)) return false
    this.#known.add(error)
    begin(this.#log, isWriteRefused(error) ? this.#writes : this.#away, error)
    return true
  }

  answered(): void {
    if (this.#away.sinceMs === null || performance.now() - this.#away.lastMs < STEADY_MS) return
    end(this.#log, this.#away)
  }

  /** Records a successful write, which ends an outage of writes. Call it only after a write that needed disk space. */
  wrote(): void {
    end(this.#log, this.#writes)
  }

  quiet(log: Log): Log {
    const lower = (level: 'warn' | 'error') => (fields: unknown, sentence?: string) => {
      log[this.#tells(fields) ? 'debug' : level](fields, sentence)
    }
    return {
      debug: (...words: Parameters<Log['debug']>) => log.debug(...words),
      info: (...words: Parameters<Log['info']>) => log.info(...words),
      warn: lower('warn'),
      error: lower('error'),
    }
  }

  #tells(fields: unknown): boolean {
    const error = typeof fields === 'object' && fields !== null && 'error' in fields ? fields.error : null
    return error instanceof Error && (this.#known.has(error) || this.#tells({ error: error.cause }))
  }
}

function trouble(begins: string, ends: string): Trouble {
  return { begins, ends, sinceMs: null, lastMs: 0 }
}

function begin(log: Log, one: Trouble, error: Error): void {
  one.lastMs = performance.now()
  if (one.sinceMs !== null) return
  one.sinceMs = one.lastMs
  log.error({ error }, one.begins)
}

function end(log: Log, one: Trouble): void {
  if (one.sinceMs === null) return
  const lengthMs = Math.round(performance.now() - one.sinceMs)
  one.sinceMs = null
  log.warn({ lengthMs }, one.ends)
}

export const UNHEARD: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

export function unheardOutages(): Outages {
  return new Outages(UNHEARD)
}
