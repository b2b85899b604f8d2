import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { tooBusy, tooManyRequests } from '#server/house/errors/errors.ts'
import { type Asker, FairQueue, QueueFull } from '#server/house/http/door/fair-queue.ts'
import { createRateLimit } from '#server/house/http/door/rate-limit.ts'

/** Rendering keeps one core busy; a second page renders while the first compresses. */
const PARALLEL = 2
const MAX_WAITING = 200
const MAX_KNOWN_WAITING = 100
/** A browser that restores its tabs asks for many pages at once. */
const MAX_OF_ONE = { atEase: 30, crowded: 4 }
const FORGET_MS = SECOND
const MAX_WAIT_MS = 20 * SECOND
const COME_AGAIN_SECONDS = 5
const BURST_SECONDS = 10

export type PageTurns = { take<T>(asker: Asker, make: () => Promise<T>): Promise<T> }

/**
 * Queues the rendering of pages; cached pages skip the queue. Throws 429 above the rate limit of a network or account,
 * and 503 when too many requests wait.
 */
export function createPageTurns(ctx: Context): PageTurns {
  const perSecond = ctx.config.pagesPerSecond
  const bucket = createRateLimit({
    name: 'pages of a network',
    burst: perSecond * BURST_SECONDS,
    refillMs: SECOND / perSecond,
  })
  const queue = new FairQueue({
    parallel: PARALLEL,
    maxWaiting: MAX_WAITING,
    maxKnownWaiting: MAX_KNOWN_WAITING,
    maxOfOne: MAX_OF_ONE,
    forgetMs: FORGET_MS,
    maxWaitMs: MAX_WAIT_MS,
    nowMs: () => ctx.clock.now().getTime(),
  })
  return {
    async take(asker, make) {
      const waitMs = bucket.take(ctx, asker.key, ctx.clock.now())
      if (waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / SECOND))
      return queue.run(asker, make).catch((error: unknown) => {
        throw error instanceof QueueFull ? tooBusy(COME_AGAIN_SECONDS) : error
      })
    },
  }
}
