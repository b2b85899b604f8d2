import { MINUTE, SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { tooBusy } from '#server/house/errors/errors.ts'
import { type Asker, FairQueue, QueueFull } from '#server/house/http/door/fair-queue.ts'
import { perContext } from '#server/house/memory.ts'

/** More hashes at once would only slow each other down and use memory. */
const PARALLEL = 2
/** The queue has two places for each of 200 networks. When it is half full, strangers must solve a captcha. */
const MAX_WAITING = 400
const MAX_KNOWN_WAITING = 100
/** A whole office may sign in at once from one network; when the queue is crowded, each network has two places. */
const MAX_OF_ONE = { atEase: 20, crowded: 2 }
/** Password guessers go on for minutes, so requests already served count against their network this long. */
const FORGET_MS = MINUTE
const MAX_WAIT_MS = 15 * SECOND
const COME_AGAIN_SECONDS = 5

const queueOf = perContext(
  'hashing of passwords',
  { scope: 'process', lost: 'nothing: their connections end' },
  (ctx: Pick<Context, 'clock'>) =>
    new FairQueue({
      parallel: PARALLEL,
      maxWaiting: MAX_WAITING,
      maxKnownWaiting: MAX_KNOWN_WAITING,
      maxOfOne: MAX_OF_ONE,
      forgetMs: FORGET_MS,
      maxWaitMs: MAX_WAIT_MS,
      nowMs: () => ctx.clock.now().getTime(),
    }),
)

export async function inHashTurn<T>(ctx: Context, asker: Asker, work: () => Promise<T>): Promise<T> {
  return queueOf(ctx)
    .run(asker, work)
    .catch((error: unknown) => {
      throw error instanceof QueueFull ? tooBusy(COME_AGAIN_SECONDS) : error
    })
}

export function isHashingCrowded(ctx: Context): boolean {
  return queueOf(ctx).isHalfFull
}
