import { LRUCache } from 'lru-cache'
import { MEBIBYTE } from '#contract/time.ts'
import { compress, type Encoding, etagOf, isKnown } from '#server/http/door/content-encoding.ts'
import type { ReadyAnswer } from './answer.ts'

/**
 * A reply whose making has been prepared: all that was to be awaited is there, so that `make` and `keptAs` speak of the
 * same moment.
 */
export type Prepared<Reply> = {
  /** Names everything the reply depends on: while this text is the same, so is the reply. null: it is not worth keeping. */
  keptAs: string | null
  make(): Reply
}

/** A reply as it is sent. `headers`: those of the body; `etag` and the rest that 304 has as well are in `checked`. */
export type CachedReply = {
  etag: string
  checked: Record<string, string>
  headers: Record<string, string | number>
  body: Buffer
}

const MAX_BYTES = 16 * MEBIBYTE
/** What an entry takes besides its body and its key, roughly. */
const ENTRY_BYTES = 600
/** What a kept reply differs by, besides its address. */
const VARY = 'Accept-Encoding, Authorization, Locale, X-API-Key, X-ApiKey, Zone'

/** Replies as the bytes that are sent, by what they depend on. The least used ones leave when it is full. */
export class ReplyCache {
  private readonly entries: LRUCache<string, CachedReply>
  private readonly pending = new Map<string, Promise<CachedReply>>()

  constructor({ maxBytes = MAX_BYTES }: { maxBytes?: number } = {}) {
    this.entries = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ body }, key) => body.length + key.length + ENTRY_BYTES,
    })
  }

  /** The reply kept as `key`, made and compressed at most once at a time however many ask. */
  take(key: string, encoding: Encoding, make: () => unknown): CachedReply | Promise<CachedReply> {
    const fullKey = keyOf(key, encoding)
    const found = this.entries.get(fullKey) ?? this.pending.get(fullKey)
    if (found !== undefined) return found
    const making = this.pack(fullKey, encoding, make).finally(() => this.pending.delete(fullKey))
    this.pending.set(fullKey, making)
    return making
  }

  find(key: string, encoding: Encoding): CachedReply | undefined {
    return this.entries.get(keyOf(key, encoding))
  }

  private async pack(fullKey: string, encoding: Encoding, make: () => unknown): Promise<CachedReply> {
    const plain = Buffer.from(JSON.stringify(make()))
    const body = await compress(plain, encoding, 'often')
    const etag = etagOf(plain)
    const checked = { vary: VARY, etag }
    const headers: CachedReply['headers'] = {
      ...checked,
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    }
    const reply = { etag, checked, headers, body }
    this.entries.set(fullKey, reply)
    return reply
  }
}

function keyOf(key: string, encoding: Encoding): string {
  return `${encoding} ${key}`
}

/** The client keeps it and asks each time whether it still holds; what is one person's, no proxy keeps. */
const CACHE_CONTROL = { everybody: 'no-cache', member: 'private, no-cache' }
type Whose = keyof typeof CACHE_CONTROL

/** What goes out to a client that names these etags: the bytes, or 304 when they are among them. */
export function answerFrom(kept: CachedReply, whose: Whose, ifNoneMatch: string | undefined): ReadyAnswer {
  const cacheControl = { 'cache-control': CACHE_CONTROL[whose] }
  if (isKnown(kept.etag, ifNoneMatch)) return { status: 304, headers: { ...kept.checked, ...cacheControl }, body: null }
  return { status: 200, headers: { ...kept.headers, ...cacheControl }, body: kept.body }
}
