import type { IncomingMessage, ServerResponse } from 'node:http'
import { KIBIBYTE, MINUTE, SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { takeTime } from '#server/house/http/door/client-errors.ts'
import { perContext } from '#server/house/memory.ts'

/** Each interval must bring at least this many bytes of an upload; a phone on 2G sends ten times as many. */
const STALL_MS = 15 * SECOND
const LEAST_BYTES = 16 * KIBIBYTE
/** The time suffices to upload 5 MB at 22 KB/s. */
const MAX_UPLOAD_MS = 4 * MINUTE

/**
 * The uploads that have outlasted the first interval, oldest first. They keep their places while nobody else needs one.
 */
const lastingOf = perContext(
  'long uploads',
  { scope: 'process', nodes: 'own', lost: 'nothing: their connections end' },
  () => new Set<Lasting>(),
)
type Lasting = { network: string; cut: () => void }

type Upload = {
  request: IncomingMessage
  answer: ServerResponse
  network: string
  onLate: () => void
  onEnd: () => void
}

/** Calls `onLate` if the body stalls, takes too long, or is cut off. Returns a function to call when it has arrived. */
export function followUpload(ctx: Context, { request, answer, network, onLate, onEnd }: Upload): () => void {
  const long = lastingOf(ctx)
  const impatient = takeTime(request.socket)
  let seen = request.socket.bytesRead
  const settle = () => {
    clearInterval(stall)
    clearTimeout(late)
    long.delete(own)
    impatient()
  }
  const cut = () => {
    settle()
    onEnd()
    onLate()
  }
  const own = { network, cut }
  const stall = setInterval(() => {
    const { bytesRead } = request.socket
    if (bytesRead - seen < LEAST_BYTES) return cut()
    seen = bytesRead
    long.add(own)
  }, STALL_MS)
  const late = setTimeout(cut, MAX_UPLOAD_MS)
  const ended = () => {
    settle()
    onEnd()
  }
  // A connection that has already closed emits no `close` event.
  if (answer.destroyed) ended()
  else answer.once('close', ended)
  return settle
}

/**
 * Cuts off the longest-running upload from `network`, or from any network if `network` is null. Returns false if no
 * upload runs longer than one check interval.
 */
export function cutLongest(ctx: Context, network: string | null): boolean {
  for (const one of lastingOf(ctx)) {
    if (network !== null && one.network !== network) continue
    one.cut()
    return true
  }
  return false
}
