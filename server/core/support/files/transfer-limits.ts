import type { IncomingMessage, ServerResponse } from 'node:http'
import { MINUTE, SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { perContext } from '#server/house/memory.ts'
import { type Holder, type PlaceLimits, Places } from './places.ts'
import { cutLongest, followUpload } from './upload-time.ts'

/** A body is in memory from its first byte on. */
export const UPLOAD_PLACES: PlaceLimits = { all: 16, ofPerson: 1, ofNetwork: 2 }
/** Ten files of a message at once, then one in six seconds; refused ones count as well. */
const UPLOADS = createRateLimit({ name: 'uploads of a person', burst: 15, refillMs: 6 * SECOND })
/** A ticket may show twenty pictures. */
const DOWNLOADS = createRateLimit({ name: 'downloads of a person', burst: 60, refillMs: SECOND / 2 })

/** A file is in memory until its reader has it; a page shows three at once. */
const DOWNLOAD_PLACES: PlaceLimits = { all: 30, ofPerson: 3, ofNetwork: 6 }
const MAX_STALL_MS = MINUTE
/** 5 MB at 30 KB/s. */
const MAX_DOWNLOAD_MS = 3 * MINUTE

const LOST = 'nothing: their connections end'
const downloadsOf = perContext('downloads', { scope: 'process', lost: LOST }, () => new Places(DOWNLOAD_PLACES))
const uploadsOf = perContext('uploads', { scope: 'process', lost: LOST }, () => new Places(UPLOAD_PLACES))

type Sent = { request: IncomingMessage; answer: ServerResponse; onLate: () => void }

/**
 * Before the body is read. The answer frees the place when it ends, or when its connection does. Returns what says that
 * the body has arrived; `onLate` is called when it does not in time. Throws TOO_MANY_REQUESTS.
 */
export function beginUpload(ctx: Context, holder: Holder, sent: Sent): () => void {
  UPLOADS.spend(ctx, holder.userId.toString())
  const places = uploadsOf(ctx)
  makeRoom(ctx, places, holder)
  const leave = places.take(holder)
  const count = () => ctx.metrics.uploads.set(places.count)
  count()
  const onEnd = () => {
    leave()
    count()
  }
  return followUpload(ctx, { ...sent, network: holder.network, onEnd })
}

/** A network that has its share makes room among its own: nobody else gives way to a crowd. */
function makeRoom(ctx: Context, places: Places, holder: Holder): void {
  for (let full = places.fullOf(holder); full !== null; full = places.fullOf(holder)) {
    if (!cutLongest(ctx, full === 'network' ? holder.network : null)) return
  }
}

/** Before the file is read. The answer frees its place when it ends, or when its connection does. Throws TOO_MANY_REQUESTS. */
export function beginDownload(ctx: Context, holder: Holder, answer: ServerResponse): void {
  DOWNLOADS.spend(ctx, holder.userId.toString())
  const end = downloadsOf(ctx).take(holder)
  // Without a listener Node destroys the socket.
  answer.setTimeout(MAX_STALL_MS)
  const late = setTimeout(() => answer.destroy(), MAX_DOWNLOAD_MS)
  untilClosed(answer, () => {
    clearTimeout(late)
    end()
  })
}

/** One who has left already is not heard leaving. */
function untilClosed(answer: ServerResponse, end: () => void): void {
  if (answer.destroyed) end()
  else answer.once('close', end)
}
