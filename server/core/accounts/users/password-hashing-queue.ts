import { MINUTE, SECOND } from '#contract/time.ts'
import { createFairQueue } from '#server/house/limits/fair-queue.ts'

export const passwordHashingQueue = createFairQueue({
  name: 'password hashing queue',
  /** More hashes at once would only slow each other down and use memory. */
  parallel: 2,
  /** Two places for each of 200 networks; half full, strangers solve a captcha. */
  maxWaiting: { unknown: 400, known: 100 },
  /** An office may sign in at once; in a crowd each network has two places. */
  maxOfOne: { atEase: 20, crowded: 2 },
  /** Guessers go on for minutes, so their served requests count this long. */
  forgetMs: MINUTE,
  maxWaitMs: 15 * SECOND,
  retrySeconds: 5,
})
