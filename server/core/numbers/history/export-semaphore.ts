import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { tooManyRequests } from '#server/house/errors/errors.ts'
import { Semaphore } from '#server/house/limits/semaphore.ts'
import { perContext } from '#server/house/memory.ts'

/** The maximum number of pool connections that all exports of a kind use together. */
const PARALLEL = 2
const RETRY_MS = 10 * SECOND
/** The maximum number of pages that a user may read at once, because a page of a long history may take seconds. */
export const MOST_READINGS = 3

export class ExportSemaphore extends Semaphore {
  readonly #ofUser = new Map<number, number>()

  /** Begins a user's export and returns the function that ends it. Throws TOO_MANY_REQUESTS above `most` exports. */
  begin(userId: number, most = 1): () => void {
    const underWay = this.#ofUser.get(userId) ?? 0
    if (underWay >= most) throw tooManyRequests(RETRY_MS / SECOND)
    this.#ofUser.set(userId, underWay + 1)
    return () => {
      const left = (this.#ofUser.get(userId) ?? 1) - 1
      if (left === 0) this.#ofUser.delete(userId)
      else this.#ofUser.set(userId, left)
    }
  }
}

/** Each kind of export has its own semaphore, so a slow kind delays no export of another kind. */
type Kind = 'files' | 'entries' | 'movements' | 'totals'

const semaphoresOf = perContext(
  'export semaphores',
  { scope: 'process', nodes: 'own', lost: 'nothing: their connections end' },
  (): Record<Kind, ExportSemaphore> => ({
    files: new ExportSemaphore({ parallel: PARALLEL }),
    entries: new ExportSemaphore({ parallel: PARALLEL }),
    movements: new ExportSemaphore({ parallel: PARALLEL }),
    totals: new ExportSemaphore({ parallel: PARALLEL }),
  }),
)

export function exportSemaphoreOf(ctx: Context, kind: Kind): ExportSemaphore {
  return semaphoresOf(ctx)[kind]
}
