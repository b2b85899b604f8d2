import { MINUTE, SECOND } from '#contract/time.ts'
import { createFairQueue } from '#server/house/limits/fair-queue.ts'
import { UPLOAD_PLACES } from './transfer-limits.ts'

export const pictureDecodingQueue = createFairQueue({
  name: 'picture decoding queue',
  /** The largest allowed picture takes 160 MB while it is decoded. */
  parallel: 1,
  maxWaiting: { unknown: UPLOAD_PLACES.all, known: UPLOAD_PLACES.all },
  maxOfOne: { atEase: 1, crowded: 1 },
  /** The time for which decoding counts against an account, so that slow pictures wait for quick ones of others. */
  forgetMs: MINUTE,
  pieceMs: SECOND,
  maxWaitMs: 20 * SECOND,
  retrySeconds: 2,
})
