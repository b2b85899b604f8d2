import { KIBIBYTE } from '#contract/time.ts'
import { compress, type Encoding } from '#server/http/content-encoding.ts'

/** A shorter reply fits a packet or two as it is, and nearly all are shorter: words and single numbers. */
const LONG_FROM_BYTES = 2 * KIBIBYTE
/** A body that is sent again and again is compressed once for each encoding, and forgotten with it. */
const packedBefore = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>()

export function isLong(body: string | Buffer): boolean {
  return body.length >= LONG_FROM_BYTES
}

/** A body in the encoding that the client likes best. Lists change with each sale, so little time is spent on each. */
export function packReply(body: string | Buffer, encoding: Encoding): Promise<Buffer> {
  if (typeof body === 'string') return compress(Buffer.from(body), encoding, 'once')
  const packed = packedBefore.get(body) ?? new Map<Encoding, Promise<Buffer>>()
  packedBefore.set(body, packed)
  const found = packed.get(encoding)
  if (found !== undefined) return found
  const making = compress(body, encoding, 'once')
  packed.set(encoding, making)
  return making
}
