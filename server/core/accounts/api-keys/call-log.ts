import { KEY_CALLS_SHOWN } from '#contract/api-key.ts'
import { MINUTE } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { perContext } from '#server/house/memory.ts'

/** Equal calls from one IP address within ten minutes share one line of the call log, with a count. */
const FOLD_MS = 10 * MINUTE
const MAX_LINES = 20_000
/**
 * The maximum number of refused calls in a key's log. They have a limit of their own, so that many refusals cannot push
 * out a thief's lines.
 */
export const KEPT_REFUSALS = 20
export const KEPT_USES = KEY_CALLS_SHOWN - KEPT_REFUSALS

export type KeyCallLine = {
  keyId: number
  foldAt: Date
  call: string
  result: string
  count: number
  firstAt: Date
  lastAt: Date
  address: string
}

/** `call` and `result` must never contain text that the caller wrote, because the key's owner reads the log. */
export type NotedCall = { call: string; result: string; address: string; now: Date }

/**
 * The result of a call from an IP address that the key does not allow. Refused calls do not count as uses of the key.
 */
export const ADDRESS_REFUSED = 'ADDRESS_REFUSED'

/** Buffers calls of API keys in memory until the next flush (flush-calls.ts), so that a call costs no SQL statement. */
export class KeyCallLog {
  readonly #byKey = new Map<number, Map<string, KeyCallLine>>()
  /** The last counted line of each key, because most calls repeat that line and then need no map key. */
  readonly #latest = new Map<number, KeyCallLine>()
  #size = 0
  #dropped = 0

  note(keyId: number, { call, result, address, now }: NotedCall): void {
    const atMs = now.getTime()
    const foldMs = atMs - (atMs % FOLD_MS)
    const latest = this.#latest.get(keyId)
    const isAlike = latest?.call === call && latest.result === result && latest.address === address
    if (isAlike && latest.foldAt.getTime() === foldMs) {
      count(latest, { count: 1, firstAt: now, lastAt: now })
      return
    }
    this.#add({ keyId, foldAt: new Date(foldMs), call, result, count: 1, firstAt: now, lastAt: now, address })
  }

  takeAll(): { lines: KeyCallLine[]; dropped: number } {
    const lines = [...this.#byKey.keys()].flatMap((keyId) => this.takeOf(keyId))
    const dropped = this.#dropped
    this.#dropped = 0
    return { lines, dropped }
  }

  takeOf(keyId: number): KeyCallLine[] {
    const lines = [...(this.#byKey.get(keyId)?.values() ?? [])]
    this.#byKey.delete(keyId)
    this.#latest.delete(keyId)
    this.#size -= lines.length
    return lines
  }

  /** Returns the time of a key's last use that is not stored yet, or null. Refused calls do not count as uses. */
  lastUseOf(keyId: number): Date | null {
    const uses = [...(this.#byKey.get(keyId)?.values() ?? [])].filter((line) => !isRefusal(line))
    return latestOf(uses.map(({ lastAt }) => lastAt))
  }

  giveBack(lines: readonly KeyCallLine[]): void {
    for (const line of lines) this.#add(line)
  }

  #add(line: KeyCallLine): void {
    const ofKey = this.#byKey.get(line.keyId) ?? new Map<string, KeyCallLine>()
    const name = nameOf(line)
    const known = ofKey.get(name)
    if (known !== undefined) {
      count(known, line)
      this.#latest.set(line.keyId, known)
      return
    }
    if (this.#size >= MAX_LINES) {
      this.#dropped += line.count
      return
    }
    const kept = { ...line }
    ofKey.set(name, kept)
    this.#latest.set(line.keyId, kept)
    this.#byKey.set(line.keyId, ofKey)
    this.#size += 1
    if (ofKey.size > KEPT_REFUSALS) this.#dropOldest(ofKey, isRefusal(line))
  }

  #dropOldest(ofKey: Map<string, KeyCallLine>, refusals: boolean): void {
    const alike = [...ofKey.values()].filter((line) => isRefusal(line) === refusals)
    if (alike.length <= (refusals ? KEPT_REFUSALS : KEPT_USES)) return
    const oldest = alike.reduce((old, line) => (line.lastAt < old.lastAt ? line : old))
    ofKey.delete(nameOf(oldest))
    this.#size -= 1
    if (this.#latest.get(oldest.keyId) === oldest) this.#latest.delete(oldest.keyId)
  }
}

const isRefusal = ({ result }: KeyCallLine) => result === ADDRESS_REFUSED

const nameOf = ({ foldAt, result, address, call }: KeyCallLine) => `${foldAt.getTime()} ${result} ${address} ${call}`

export function latestOf(moments: readonly (Date | null)[]): Date | null {
  const known = moments.filter((moment) => moment !== null)
  return known.length === 0 ? null : new Date(Math.max(...known.map((moment) => moment.getTime())))
}

/**
 * Adds a line's counts to an equal line. A line given back after a failed flush is older, so `firstAt` too may change.
 */
function count(line: KeyCallLine, more: Pick<KeyCallLine, 'count' | 'firstAt' | 'lastAt'>): void {
  line.count += more.count
  if (more.firstAt < line.firstAt) line.firstAt = more.firstAt
  if (more.lastAt > line.lastAt) line.lastAt = more.lastAt
}

export const keyCallLogOf = perContext(
  'calls of API keys',
  { scope: 'process', nodes: 'own', lost: 'lines since the last flush, some seconds at most' },
  () => new KeyCallLog(),
)

export function noteKeyCall(
  ctx: Context,
  { keyId, ...call }: { keyId: number; call: string; result: string; address: string },
): void {
  keyCallLogOf(ctx).note(keyId, { ...call, now: ctx.clock.now() })
}
