import type { IncomingMessage, ServerResponse } from 'node:http'
import { MINUTE, SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { perContext } from '#server/house/memory.ts'
import { type Holder, type PlaceLimits, Places } from './places.ts'
import { cutLongest, followUpload } from './upload-time.ts'

/** The limits of concurrent uploads, because a body is in memory from its first byte on. */
export const UPLOAD_PLACES: PlaceLimits = { all: 16, ofPerson: 1, ofNetwork: 2 }
/** The rate limit admits the ten files of a message at once, then one in six seconds, refused ones included. */
const UPLOADS = createRateLimit({ name: 'uploads of a person', burst: 15, refillMs: 6 * SECOND })
/** A ticket may show twenty pictures, so downloads have a larger rate limit than uploads. */
const DOWNLOADS = createRateLimit({ name: 'downloads of a person', burst: 60, refillMs: SECOND / 2 })

/** The limits of concurrent downloads, because a file occupies memory until its reader has it. */
const DOWNLOAD_PLACES: PlaceLimits = { all: 30, ofPerson: 3, ofNetwork: 6 }
const MAX_STALL_MS = MINUTE
/** The time suffices to download 5 MB at 30 KB/s. */
const MAX_DOWNLOAD_MS = 3 * MINUTE

const LOST = 'nothing: their connections end'
const downloadsOf = perContext(
  'downloads',
  { scope: 'process', nodes: 'own', lost: LOST },
  () => new Places(DOWNLOAD_PLACES),
)
const uploadsOf = perContext('uploads', { scope: 'process', nodes: 'own', lost: LOST }, () => new Places(UPLOAD_PLACES))

type Sent = { request: IncomingMessage; answer: ServerResponse; onLate: () => void }

/**
 * Takes a place for an upload until the reply or the connection ends. Returns a function to call when the body has
 * arrived; `onLate` is called if it does not arrive in time. Throws TOO_MANY_REQUESTS.
 */
export async function beginUpload(ctx: Context, holder: Holder, sent: Sent): Promise<() => void> {
  await UPLOADS.spend(ctx, holder.userId.toString())
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

/**
 * Makes room for an upload. A network that uses its share gives up one of its own, so that a crowd displaces nobody.
 */
function makeRoom(ctx: Context, places: Places, holder: Holder): void {
  for (let full = places.fullOf(holder); full !== null; full = places.fullOf(holder)) {
    if (!cutLongest(ctx, full === 'network' ? holder.network : null)) return
  }
}

/** Takes a place for a download until the reply or the connection ends. Throws TOO_MANY_REQUESTS. */
export async function beginDownload(ctx: Context, holder: Holder, answer: ServerResponse): Promise<void> {
  await DOWNLOADS.spend(ctx, holder.userId.toString())
  const end = downloadsOf(ctx).take(holder)
  // Node destroys the socket if there is no `timeout` listener.
  answer.setTimeout(MAX_STALL_MS)
  const late = setTimeout(() => answer.destroy(), MAX_DOWNLOAD_MS)
  untilClosed(answer, () => {
    clearTimeout(late)
    end()
  })
}

/** Calls `end` when the connection closes, or at once if it has, because then no `close` event follows. */
function untilClosed(answer: ServerResponse, end: () => void): void {
  if (answer.destroyed) end()
  else answer.once('close', end)
}
