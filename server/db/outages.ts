import type { Log } from '#server/log.ts'
import { isDatabaseAway, isWriteRefused } from './constraint.ts'

/** A database that answers once and is gone again was not back: for so long nothing must have failed. */
const STEADY_MS = 1_000

/** One state of trouble: told once when it begins, and once when it ends. */
type Trouble = { begins: string; ends: string; sinceMs: number | null; lastMs: number }

/**
 * What everything that uses the database knows of it: pools, loops, jobs and requests. One line says that it is away, another
 * that it is back; so with a database that answers but takes no writes. What fails meanwhile for that reason is detail.
 */
export class Outages {
  readonly #log: Log
  readonly #known = new WeakSet<Error>()
  readonly #away = trouble('the database is away', 'the database is back')
  readonly #writes = trouble('the database takes no writes', 'the database takes writes again')

  constructor(log: Log) {
    this.#log = log
  }

  /** Whether the database is away now. */
  get away(): boolean {
    return this.#away.sinceMs !== null
  }

  /** Whether a write was refused, for want of space for instance, and none has been taken since. */
  get refusesWrites(): boolean {
    return this.#writes.sinceMs !== null
  }

  /** To be told of every failure of a statement or a connection. False: it says nothing about the database as a whole. */
  failed(error: unknown): boolean {
    if (!(error instanceof Error) || !isDatabaseAway(error)) return false
    this.#known.add(error)
    begin(this.#log, isWriteRefused(error) ? this.#writes : this.#away, error)
    return true
  }

  /** To be told of every answer. */
  answered(): void {
    if (this.#away.sinceMs === null || performance.now() - this.#away.lastMs < STEADY_MS) return
    end(this.#log, this.#away)
  }

  /** A write was taken that needed space. */
  wrote(): void {
    end(this.#log, this.#writes)
  }

  /** The log for whoever uses the database: it says nothing of failures that have been told as an outage. */
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

const UNHEARD: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/** For who says himself that the database is away: one command, and what is only rehearsed. */
export function unheardOutages(): Outages {
  return new Outages(UNHEARD)
}
