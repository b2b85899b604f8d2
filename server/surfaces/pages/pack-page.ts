import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { compress, type Encoding, etagOf } from '#server/house/http/door/content-encoding.ts'
import type { Packed } from '#server/house/http/ready/ready-cache.ts'

const fromBrotli = promisify(brotliDecompress)

/**
 * A rendered page. `keep` is true if everyone with the page's cache key gets the same page. `location` is the target of
 * a redirect, which has no body.
 */
export type FreshPage = {
  status: number
  contentType: string
  body: string
  keep: boolean
  location: string | null
  retryAfterSeconds?: number
}

/** A compressed page. The cache holds only compressed bodies, because plain bytes are ten times as large. */
export type PackedPage = Packed &
  Omit<FreshPage, 'body' | 'keep' | 'retryAfterSeconds'> & { bodies: { br: Buffer; gzip: Buffer } }

export async function packPage({ status, contentType, location, body }: FreshPage): Promise<PackedPage> {
  const plain = Buffer.from(body)
  const [br, gzip] = await Promise.all([compress(plain, 'br', 'often'), compress(plain, 'gzip', 'often')])
  return { status, contentType, location, etag: etagOf(plain), bodies: { br, gzip } }
}

export async function packOnce(fresh: FreshPage, encoding: Encoding): Promise<Buffer> {
  return compress(Buffer.from(fresh.body), encoding, 'once')
}

export async function bodyOf({ bodies }: PackedPage, encoding: Encoding): Promise<Buffer> {
  return encoding === 'identity' ? fromBrotli(bodies.br) : bodies[encoding]
}
