import { MINUTE, SECOND } from '#contract/time.ts'
import { createFairQueue } from '#server/house/limits/fair-queue.ts'

export const passwordHashingQueue = createFairQueue({
  name: 'password hashing queue',
  /** More than two hashes at once would only slow each other down and use memory. */
  parallel: 2,
  /** The queue has two places for each of 200 networks. When the queue is half full, strangers solve a captcha. */
  maxWaiting: { unknown: 400, known: 100 },
  /** An office may sign in at once from one network. In a crowded queue, each network has two places. */
  maxOfOne: { atEase: 20, crowded: 2 },
  /** The time for which served requests count against their network, because guessers go on for minutes. */
  forgetMs: MINUTE,
  maxWaitMs: 15 * SECOND,
  retrySeconds: 5,
})
