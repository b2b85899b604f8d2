import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { isOverTime } from '#server/house/db/constraint.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { tooManyRequests } from '#server/house/errors/errors.ts'
import { askerOf, FairQueue, QueueFull } from '#server/house/http/door/fair-queue.ts'
import { createRateLimit } from '#server/house/http/door/rate-limit.ts'
import { perContext } from '#server/house/memory.ts'
import { limitSearch, listTickets } from './queries/tickets.ts'
import { searchTooLong } from './support-errors.ts'

/** Each search reads up to 2 MB; a person who types searches four times a second at most. */
const SEARCHES = createRateLimit({ name: 'searches of tickets by a person', burst: 30, refillMs: SECOND / 2 })
/** Each search occupies a connection and a core; eight of ten connections stay free for everything else. */
const PARALLEL = 2
const MAX_WAITING = 20
const MAX_WAIT_MS = 5 * SECOND
const FORGET_MS = 10 * SECOND
const COME_AGAIN_SECONDS = 2

const searchingOf = perContext(
  'people searching tickets',
  { scope: 'process', lost: 'nothing: their connections end' },
  () => new Set<number>(),
)
const queueOf = perContext(
  'searches of tickets',
  { scope: 'process', lost: 'nothing: their connections end' },
  (ctx: Pick<Context, 'clock'>) =>
    new FairQueue({
      parallel: PARALLEL,
      maxWaiting: MAX_WAITING,
      maxKnownWaiting: MAX_WAITING,
      maxOfOne: { atEase: 1, crowded: 1 },
      forgetMs: FORGET_MS,
      maxWaitMs: MAX_WAIT_MS,
      nowMs: () => ctx.clock.now().getTime(),
    }),
)

type Found = Awaited<ReturnType<typeof listTickets>>

/** A person has one search at a time. Throws TOO_MANY_REQUESTS, with 503 if the search waits or takes too long. */
export async function searchTickets(ctx: Context, wanted: Parameters<typeof listTickets>[1]): Promise<Found> {
  const { userId } = wanted
  const waitMs = SEARCHES.take(ctx, userId.toString(), ctx.clock.now())
  if (waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / SECOND))
  const people = searchingOf(ctx)
  if (people.has(userId)) throw tooManyRequests(COME_AGAIN_SECONDS)
  people.add(userId)
  try {
    return await queueOf(ctx).run(askerOf(userId, ''), () =>
      transaction(ctx.db, async (tx) => {
        await limitSearch(tx)
        return listTickets(tx, wanted)
      }),
    )
  } catch (error) {
    throw error instanceof QueueFull || isOverTime(error) ? searchTooLong(COME_AGAIN_SECONDS) : error
  } finally {
    people.delete(userId)
  }
}
