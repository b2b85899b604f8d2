import { compress, type Encoding, etagOf, isKnown } from '#server/house/http/door/content-encoding.ts'
import type { ReadyAnswer } from './answer.ts'
import type { Packed } from './ready-cache.ts'

/** A reply that can be made without further queries, so that `make` and `cacheKey` describe the same moment. */
export type Prepared<Reply> = {
  /** The cache key: equal keys mean equal replies. Null means that the reply cannot be cached. */
  cacheKey: string | null
  make(): Reply
}

export type PackedReply = Packed & {
  checked: Record<string, string>
  headers: Record<string, string | number>
  body: Buffer
}

const VARY = 'Accept-Encoding, Authorization, Locale, X-API-Key, X-ApiKey, Zone'

/** Packs a reply as JSON, or the text of a file as it is if `fileType` names a file's content type. */
export async function packReply(reply: unknown, encoding: Encoding, fileType?: string): Promise<PackedReply> {
  const plain = Buffer.from(fileType === undefined ? JSON.stringify(reply) : String(reply))
  const body = await compress(plain, encoding, 'often')
  const etag = etagOf(plain)
  const checked = { vary: VARY, etag }
  const headers: PackedReply['headers'] = {
    ...checked,
    'content-type': fileType ?? 'application/json; charset=utf-8',
    'content-length': body.length,
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
  }
  return { etag, checked, headers, body, bodies: { [encoding]: body } }
}

/** A browser must revalidate a cached reply each time, and no proxy may store a member's reply. */
const CACHE_CONTROL = { everybody: 'no-cache', member: 'private, no-cache' }
type Whose = keyof typeof CACHE_CONTROL

export function answerFrom(packed: PackedReply, whose: Whose, ifNoneMatch: string | undefined): ReadyAnswer {
  const cacheControl = { 'cache-control': CACHE_CONTROL[whose] }
  if (isKnown(packed.etag, ifNoneMatch))
    return { status: 304, headers: { ...packed.checked, ...cacheControl }, body: null }
  return { status: 200, headers: { ...packed.headers, ...cacheControl }, body: packed.body }
}
