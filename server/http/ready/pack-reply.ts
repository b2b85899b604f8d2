import { compress, type Encoding, etagOf, isKnown } from '#server/http/door/content-encoding.ts'
import type { ReadyAnswer } from './answer.ts'
import type { Packed } from './ready-cache.ts'

/**
 * A reply whose making has been prepared: all that was to be awaited is there, so that `make` and `keptAs` speak of the
 * same moment.
 */
export type Prepared<Reply> = {
  /** Names everything the reply depends on: while this text is the same, so is the reply. null: it is not worth keeping. */
  keptAs: string | null
  make(): Reply
}

/** A reply in one encoding. `headers`: those of the body; `etag` and the rest that 304 has as well are in `checked`. */
export type PackedReply = Packed & {
  checked: Record<string, string>
  headers: Record<string, string | number>
  body: Buffer
}

/** What a kept reply differs by, besides its address. */
const VARY = 'Accept-Encoding, Authorization, Locale, X-API-Key, X-ApiKey, Zone'

export async function packReply(reply: unknown, encoding: Encoding): Promise<PackedReply> {
  const plain = Buffer.from(JSON.stringify(reply))
  const body = await compress(plain, encoding, 'often')
  const etag = etagOf(plain)
  const checked = { vary: VARY, etag }
  const headers: PackedReply['headers'] = {
    ...checked,
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
  }
  return { etag, checked, headers, body, bodies: { [encoding]: body } }
}

/** The client keeps it and asks each time whether it still holds; what is one person's, no proxy keeps. */
const CACHE_CONTROL = { everybody: 'no-cache', member: 'private, no-cache' }
type Whose = keyof typeof CACHE_CONTROL

/** What goes out to a client that names these etags: the bytes, or 304 when they are among them. */
export function answerFrom(packed: PackedReply, whose: Whose, ifNoneMatch: string | undefined): ReadyAnswer {
  const cacheControl = { 'cache-control': CACHE_CONTROL[whose] }
  if (isKnown(packed.etag, ifNoneMatch))
    return { status: 304, headers: { ...packed.checked, ...cacheControl }, body: null }
  return { status: 200, headers: { ...packed.headers, ...cacheControl }, body: packed.body }
}
