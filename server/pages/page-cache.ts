import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { Clock } from '#server/clock.ts'
import { compress, type Encoding, etagOf } from '#server/http/door/content-encoding.ts'
import type { ReadyAnswer } from '#server/http/ready/answer.ts'

const fromBrotli = promisify(brotliDecompress)

/** A page as its bytes will be sent. `freshUntil`: ms of the clock; 0 when it was not kept. */
export type PackedPage = Omit<FreshPage, 'body' | 'keep' | 'retryAfterSeconds'> & {
  etag: string
  br: Buffer
  gzip: Buffer
  freshUntil: number
}

/** `keep`: the page is the same for everyone who asks for this key. `location`: it is a redirect, without a body. */
export type FreshPage = {
  status: number
  contentType: string
  body: string
  keep: boolean
  location: string | null
  retryAfterSeconds?: number
}

export type PageCacheOptions = {
  clock: Clock
  /** Of the compressed bodies and their keys together. */
  maxBytes: number
  /** Prices and stock on a page are at most this old. */
  maxAgeMs: number
}

type KeptAnswer = { answer: ReadyAnswer; freshUntil: number }

/** Ready answers share their bodies with the pages: they weigh what their keys and headers do. */
const READY_MAX_BYTES = 4 * 1024 * 1024
/** What an entry takes besides its bodies and its key, roughly. */
const ENTRY_BYTES = 500

/** Ready, compressed pages of visitors, by everything they depend on. The least used ones leave when it is full. */
export class PageCache {
  private readonly options: PageCacheOptions
  private readonly entries: LRUCache<string, PackedPage>
  private readonly ready: LRUCache<string, KeptAnswer>
  private readonly pending = new Map<string, Promise<PackedPage>>()
  private generation = 0

  constructor(options: PageCacheOptions) {
    this.options = options
    this.entries = new LRUCache({
      maxSize: options.maxBytes,
      sizeCalculation: (page, key) => page.br.length + page.gzip.length + key.length + ENTRY_BYTES,
    })
    this.ready = new LRUCache({
      maxSize: READY_MAX_BYTES,
      sizeCalculation: ({ answer }, key) => key.length + JSON.stringify(answer.headers).length + ENTRY_BYTES,
    })
  }

  /** The page of `key` if it is ready, or is being made for somebody. */
  find(key: string): PackedPage | Promise<PackedPage> | undefined {
    const page = this.entries.get(key)
    if (page !== undefined && page.freshUntil > this.options.clock.now().getTime()) return page
    return this.pending.get(key)
  }

  /** The page of `key`, made at most once at a time however many ask. A page that must not be kept is made for each key again. */
  async take(key: string, make: () => Promise<FreshPage>): Promise<PackedPage> {
    const found = this.find(key)
    if (found !== undefined) return found
    const making = this.make(key, make).finally(() => {
      if (this.pending.get(key) === making) this.pending.delete(key)
    })
    this.pending.set(key, making)
    return making
  }

  /** What was answered to a request with this key, as long as its page would be answered again. */
  readyAnswer(requestKey: string): ReadyAnswer | undefined {
    const found = this.ready.get(requestKey)
    if (found === undefined || found.freshUntil <= this.options.clock.now().getTime()) return undefined
    return found.answer
  }

  /** Keeps the answer that was made from `page`, unless the page was not kept or the body is not one of its own. */
  keepAnswer(requestKey: string, page: PackedPage, answer: ReadyAnswer): void {
    // An unpacked body would be held for each request again, and nothing would count it.
    const isShared = answer.body === null || answer.body === page.br || answer.body === page.gzip
    if (isShared && page.freshUntil > 0) this.ready.set(requestKey, { answer, freshUntil: page.freshUntil })
  }

  /** Forgets everything: the catalogue or the settings changed. A page being made from the old ones is not kept either. */
  clear(): void {
    this.generation += 1
    this.entries.clear()
    this.ready.clear()
    this.pending.clear()
  }

  private async make(key: string, make: () => Promise<FreshPage>): Promise<PackedPage> {
    const { generation } = this
    const madeAt = this.options.clock.now().getTime()
    const fresh = await make()
    const page = await packPage(fresh)
    if (!fresh.keep || generation !== this.generation) return page
    const kept = { ...page, freshUntil: madeAt + this.options.maxAgeMs }
    this.entries.set(key, kept)
    return kept
  }
}

/** Compresses a page both ways; a client that takes neither is served by unpacking. */
export async function packPage(fresh: FreshPage): Promise<PackedPage> {
  const body = Buffer.from(fresh.body)
  const [br, gzip] = await Promise.all([compress(body, 'br', 'often'), compress(body, 'gzip', 'often')])
  const { status, contentType, location } = fresh
  return { status, contentType, location, etag: etagOf(body), br, gzip, freshUntil: 0 }
}

/** The bytes of a page of one person, packed for one sending. */
export async function packOnce(fresh: FreshPage, encoding: Encoding): Promise<Buffer> {
  return compress(Buffer.from(fresh.body), encoding, 'once')
}

export async function bodyOf(page: PackedPage, encoding: Encoding): Promise<Buffer> {
  return encoding === 'identity' ? fromBrotli(page.br) : page[encoding]
}
