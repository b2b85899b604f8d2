import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { tooManyRequests } from '#server/errors.ts'

/** Bounds the pool connections of all exports together. */
const AT_ONCE = 2
const RETRY_MS = 10 * SECOND

export class ExportTurns {
  private readonly exporting = new Set<number>()
  private readonly waiting: (() => void)[] = []
  private running = 0

  /** Throws TOO_MANY_REQUESTS. Call the returned function at the end. */
  begin(userId: number): () => void {
    if (this.exporting.has(userId)) throw tooManyRequests(RETRY_MS / SECOND)
    this.exporting.add(userId)
    return () => {
      this.exporting.delete(userId)
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

const turns = new WeakMap<Context, ExportTurns>()

export function exportTurnsOf(ctx: Context): ExportTurns {
  const found = turns.get(ctx) ?? new ExportTurns()
  turns.set(ctx, found)
  return found
}
