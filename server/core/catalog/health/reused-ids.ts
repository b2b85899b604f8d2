import { HOUR, MINUTE } from '#contract/time.ts'

const TOLD_EACH_MS = MINUTE

export type ReusedIdLine = { hour: Date; supplierId: number; messages: number; lastAt: Date }

/**
 * Counts messages dropped because an earlier message with another text had the same id. A crash loses ten seconds of
 * counts.
 */
export class ReusedIds {
  readonly #lines = new Map<string, ReusedIdLine>()
  readonly #told = new Map<number, { atMs: number; since: number }>()

  /**
   * Counts a dropped message. Returns the number dropped since the last log line; null if that is under a minute old.
   */
  note(supplierId: number, now: Date): number | null {
    const hour = new Date(now.getTime() - (now.getTime() % HOUR))
    const name = `${hour.getTime()} ${supplierId}`
    const messages = (this.#lines.get(name)?.messages ?? 0) + 1
    this.#lines.set(name, { hour, supplierId, messages, lastAt: now })
    const told = this.#told.get(supplierId)
    const since = (told?.since ?? 0) + 1
    if (told !== undefined && now.getTime() - told.atMs < TOLD_EACH_MS) {
      told.since = since
      return null
    }
    this.#told.set(supplierId, { atMs: now.getTime(), since: 0 })
    return since
  }

  takeAll(): ReusedIdLine[] {
    const lines = [...this.#lines.values()]
    this.#lines.clear()
    return lines
  }
}
