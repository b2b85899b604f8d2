import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { type Asker, createFairQueue } from '#server/house/limits/fair-queue.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'

const BURST_SECONDS = 10

const renderQueue = createFairQueue({
  name: 'page render queue',
  /** The number of pages rendered at once. While one page compresses, the other renders on the one core. */
  parallel: 2,
  maxWaiting: { unknown: 200, known: 100 },
  /** The maximum number of waiting pages of one visitor, whose browser may restore many tabs at once. */
  maxOfOne: { atEase: 30, crowded: 4 },
  forgetMs: SECOND,
  maxWaitMs: 20 * SECOND,
  retrySeconds: 5,
})

export type PageRenderQueue = { run<T>(asker: Asker, make: () => Promise<T>): Promise<T> }

/**
 * Creates the queue of pages to render. `run` throws a 429 if a network or account exceeds its rate, and a 503 if the
 * queue is full.
 */
export function createPageRenderQueue(ctx: Context): PageRenderQueue {
  const perSecond = ctx.config.pagesPerSecond
  const pages = createRateLimit({
    name: 'pages of a network',
    burst: perSecond * BURST_SECONDS,
    refillMs: SECOND / perSecond,
  })
  return {
    async run(asker, make) {
      await pages.spend(ctx, asker.key)
      return renderQueue.run(ctx, asker, make)
    },
  }
}
