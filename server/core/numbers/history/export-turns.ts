import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { tooManyRequests } from '#server/house/errors/errors.ts'
import { perContext } from '#server/house/memory.ts'

/** Bounds the pool connections of all exports together. */
const AT_ONCE = 2
const RETRY_MS = 10 * SECOND
/** Pages of one user: his whole past may cost seconds. */
export const MOST_READINGS = 3

export class ExportTurns {
  private readonly exporting = new Map<number, number>()
  private readonly waiting: (() => void)[] = []
  private running = 0

  /** `most` at once of a user. Throws TOO_MANY_REQUESTS. Call the returned function at the end. */
  begin(userId: number, most = 1): () => void {
    const running = this.exporting.get(userId) ?? 0
    if (running >= most) throw tooManyRequests(RETRY_MS / SECOND)
    this.exporting.set(userId, running + 1)
    return () => {
      const left = (this.exporting.get(userId) ?? 1) - 1
      if (left === 0) this.exporting.delete(userId)
      else this.exporting.set(userId, left)
    }
  }

  async take<Batch>(work: () => Promise<Batch>): Promise<Batch> {
    while (this.running >= AT_ONCE) await new Promise<void>((resolve) => this.waiting.push(resolve))
    this.running += 1
    try {
      return await work()
    } finally {
      this.running -= 1
      this.waiting.shift()?.()
    }
  }
}

/** What costs more delays its own kind alone. */
type Kind = 'files' | 'entries' | 'movements'

const turnsOf = perContext(
  'exports',
  { scope: 'process', lost: 'nothing: their connections end' },
  (): Record<Kind, ExportTurns> => ({
    files: new ExportTurns(),
    entries: new ExportTurns(),
    movements: new ExportTurns(),
  }),
)

export function exportTurnsOf(ctx: Context, kind: Kind): ExportTurns {
  return turnsOf(ctx)[kind]
}
