import type { IncomingMessage, ServerResponse } from 'node:http'
import { KIBIBYTE, MINUTE, SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { takeTime } from '#server/house/http/door/client-errors.ts'
import { perContext } from '#server/house/memory.ts'

/** Within each of these times so much must come: a phone on 2G sends ten times that. */
const STALL_MS = 15 * SECOND
const LEAST_BYTES = 16 * KIBIBYTE
/** 5 MB at 22 KB/s. */
const MAX_UPLOAD_MS = 4 * MINUTE

/** Those past their first stretch, oldest first: they keep their places as long as nobody else needs one. */
const lastingOf = perContext(
  'long uploads',
  { scope: 'process', lost: 'nothing: their connections end' },
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

/** Calls `onLate` when the body stalls, takes too long, or gives way. Returns what says that it has arrived. */
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
  // One who has left already is not heard leaving.
  if (answer.destroyed) ended()
  else answer.once('close', ended)
  return settle
}

/** Who has sent the longest gives way, of one network or of all (null). False: nobody has sent for longer than a stretch. */
export function cutLongest(ctx: Context, network: string | null): boolean {
  for (const one of lastingOf(ctx)) {
    if (network !== null && one.network !== network) continue
    one.cut()
    return true
  }
  return false
}
