import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { boundedCache } from '#server/house/bounded-cache.ts'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

export type Encoding = 'br' | 'gzip' | 'identity'

/** How well to compress: `often` for the fewest bytes; `once` for 10 % more bytes in a third of the time. */
export type Effort = 'often' | 'once'

const ENCODINGS: readonly Encoding[] = ['br', 'gzip', 'identity']
const BROTLI_QUALITY: Record<Effort, number> = { often: 5, once: 2 }
const GZIP_LEVEL: Record<Effort, number> = { often: 6, once: 3 }
const HEADERS_REMEMBERED = 100
const HEADER_MAX_LENGTH = 200

export async function compress(body: Buffer, encoding: Encoding, effort: Effort): Promise<Buffer> {
  switch (encoding) {
    case 'br':
      return toBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort] } })
    case 'gzip':
      return toGzip(body, { level: GZIP_LEVEL[effort] })
    case 'identity':
      return body
    default:
      return encoding satisfies never
  }
}

/** Returns the ETag of a body. It is weak, because all encodings of the body share it. */
export function etagOf(body: Buffer): string {
  return `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
}

/** Returns true if If-None-Match is `*` or lists the ETag, which is compared weakly (RFC 9110, 13.1.2). */
export function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag) return true
  const wanted = etag.replace(/^W\//, '')
  return ifNoneMatch.split(',').some((name) => {
    const known = name.trim()
    return known === '*' || known.replace(/^W\//, '') === wanted
  })
}

const remembered = boundedCache<string, Encoding>(HEADERS_REMEMBERED)

/** Chooses the encoding of a reply by Accept-Encoding (RFC 9110, 12.5.3): no encoding if the client refuses all. */
export function encodingFor(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined || acceptEncoding.length > HEADER_MAX_LENGTH) return 'identity'
  const known = remembered.get(acceptEncoding)
  if (known !== undefined) return known
  const chosen = choose(acceptEncoding)
  remembered.set(acceptEncoding, chosen)
  return chosen
}

function choose(acceptEncoding: string): Encoding {
  const accepted = new Map<string, number>()
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    accepted.set(name, quality === undefined ? 1 : Number(quality) || 0)
  }
  const named = (name: string) => accepted.get(name) ?? accepted.get('*')
  // The plain body is acceptable even if unnamed, but an encoding that the client names ranks higher.
  const qualityOf = (name: Encoding) => named(name) ?? (name === 'identity' ? Number.MIN_VALUE : 0)
  const [best = 'identity'] = ENCODINGS.toSorted((a, b) => qualityOf(b) - qualityOf(a))
  return qualityOf(best) > 0 ? best : 'identity'
}
