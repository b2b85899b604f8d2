import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { tooManyRequests } from '#server/house/errors/errors.ts'
import { Semaphore } from '#server/house/limits/semaphore.ts'
import { perContext } from '#server/house/memory.ts'

/** Bounds the pool connections of all exports together. */
const PARALLEL = 2
const RETRY_MS = 10 * SECOND
/** Pages of one user: his whole past may cost seconds. */
export const MOST_READINGS = 3

/** Batches of all users are read within the semaphore. Each user has a few exports under way. */
export class ExportSemaphore extends Semaphore {
  readonly #ofUser = new Map<number, number>()

  /** `most` at once of a user. Throws TOO_MANY_REQUESTS. Call the returned function at the end. */
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

/** What costs more delays its own kind alone. */
type Kind = 'files' | 'entries' | 'movements'

const semaphoresOf = perContext(
  'export semaphores',
  { scope: 'process', lost: 'nothing: their connections end' },
  (): Record<Kind, ExportSemaphore> => ({
    files: new ExportSemaphore({ parallel: PARALLEL }),
    entries: new ExportSemaphore({ parallel: PARALLEL }),
    movements: new ExportSemaphore({ parallel: PARALLEL }),
  }),
)

export function exportSemaphoreOf(ctx: Context, kind: Kind): ExportSemaphore {
  return semaphoresOf(ctx)[kind]
}
