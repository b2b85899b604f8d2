import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { compress, type Encoding, etagOf } from '#server/house/http/door/content-encoding.ts'
import type { Packed } from '#server/house/http/ready/ready-cache.ts'

const fromBrotli = promisify(brotliDecompress)

/** `keep`: the page is the same for everyone with this key. `location`: a redirect, without a body. */
export type FreshPage = {
  status: number
  contentType: string
  body: string
  keep: boolean
  location: string | null
  retryAfterSeconds?: number
}

/** Plain bytes are not kept: they weigh ten times as much. */
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
