import { MINUTE, SECOND } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { tooBusy } from '#server/errors.ts'
import { type Asker, FairQueue, QueueFull } from '#server/http/door/fair-queue.ts'

/** More at once would only slow each other down and eat memory. */
const PARALLEL = 2
/** A place for each of 200 networks that come at once, and as many again: half full they are asked for a riddle. */
const MAX_WAITING = 400
const MAX_KNOWN_WAITING = 100
/** An office signs in at nine; in a crowd nobody has more than two. */
const MAX_OF_ONE = { atEase: 20, crowded: 2 }
/** Guessers go on for minutes: what they were served counts for as long. */
const FORGET_MS = MINUTE
/** Browsers wait longer, people hardly. */
const MAX_WAIT_MS = 15 * SECOND
const COME_AGAIN_SECONDS = 5

const perContext = new WeakMap<Context, FairQueue>()

/** Makes a hash of a password when the asker's turn has come. Throws TOO_MANY_REQUESTS (503) when too many wait. */
export async function inHashTurn<T>(ctx: Context, asker: Asker, work: () => Promise<T>): Promise<T> {
  return queueOf(ctx)
    .run(asker, work)
    .catch((error: unknown) => {
      throw error instanceof QueueFull ? tooBusy(COME_AGAIN_SECONDS) : error
    })
}

/** Whether so many strangers wait that one more should show that it is no robot. */
export function isHashingCrowded(ctx: Context): boolean {
  return queueOf(ctx).isHalfFull
}

function queueOf(ctx: Context): FairQueue {
  const known = perContext.get(ctx)
  if (known !== undefined) return known
  const queue = new FairQueue({
    parallel: PARALLEL,
    maxWaiting: MAX_WAITING,
    maxKnownWaiting: MAX_KNOWN_WAITING,
    maxOfOne: MAX_OF_ONE,
    forgetMs: FORGET_MS,
    maxWaitMs: MAX_WAIT_MS,
    nowMs: () => ctx.clock.now().getTime(),
  })
  perContext.set(ctx, queue)
  return queue
}
