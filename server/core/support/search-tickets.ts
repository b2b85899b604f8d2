import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { isOverTime } from '#server/house/db/constraint.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { tooManyRequests } from '#server/house/errors/errors.ts'
import { askerOf, createFairQueue } from '#server/house/limits/fair-queue.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { perContext } from '#server/house/memory.ts'
import { limitSearch, listTickets } from './queries/tickets.ts'
import { searchTooLong } from './support-errors.ts'

/** The rate limit exists because each search reads up to 2 MB; a person searches at most four times a second. */
const SEARCHES = createRateLimit({ name: 'searches of tickets by a person', burst: 30, refillMs: SECOND / 2 })
const COME_AGAIN_SECONDS = 2
const ticketSearchQueue = createFairQueue({
  name: 'ticket search queue',
  /** Each search occupies a connection and a core; eight of the ten connections stay for everything else. */
  parallel: 2,
  maxWaiting: { unknown: 20, known: 20 },
  maxOfOne: { atEase: 1, crowded: 1 },
  forgetMs: 10 * SECOND,
  maxWaitMs: 5 * SECOND,
  retrySeconds: COME_AGAIN_SECONDS,
  full: () => searchTooLong(COME_AGAIN_SECONDS),
})

const searchingOf = perContext(
  'people searching tickets',
  { scope: 'process', nodes: 'own', lost: 'nothing: their connections end' },
  () => new Set<number>(),
)

type Found = Awaited<ReturnType<typeof listTickets>>

/** Searches tickets, one search of a user at a time. Throws TOO_MANY_REQUESTS (503 if a search takes too long). */
export async function searchTickets(ctx: Context, wanted: Parameters<typeof listTickets>[1]): Promise<Found> {
  const { userId } = wanted
  await SEARCHES.spend(ctx, userId.toString())
  const people = searchingOf(ctx)
  if (people.has(userId)) throw tooManyRequests(COME_AGAIN_SECONDS)
  people.add(userId)
  try {
    return await ticketSearchQueue.run(ctx, askerOf(userId, ''), () =>
      transaction(ctx.db, async (tx) => {
        await limitSearch(tx)
        return listTickets(tx, wanted)
      }),
    )
  } catch (error) {
    throw isOverTime(error) ? searchTooLong(COME_AGAIN_SECONDS) : error
  } finally {
    people.delete(userId)
  }
}
