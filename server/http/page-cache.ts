import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { Clock } from '#server/clock.ts'

const toBrotli = promisify(brotliCompress)
const fromBrotli = promisify(brotliDecompress)
const toGzip = promisify(gzip)

export type Encoding = 'br' | 'gzip' | 'identity'

/** A page as its bytes will be sent. */
export type PackedPage = Omit<FreshPage, 'body' | 'keep'> & { etag: string; br: Buffer; gzip: Buffer }

/** `keep`: the page is the same for everyone who asks for this key. `location`: it is a redirect, without a body. */
export type FreshPage = { status: number; contentType: string; body: string; keep: boolean; location: string | null }

export type PageCacheOptions = {
  clock: Clock
  /** Of the compressed bodies and their keys together. */
  maxBytes: number
  /** Prices and stock on a page are at most this old. */
  maxAgeMs: number
}

type Entry = { page: PackedPage; freshUntil: number }

const BROTLI_QUALITY = 5
const GZIP_LEVEL = 6
/** What an entry takes besides its bodies and its key, roughly. */
const ENTRY_BYTES = 500

/** Ready, compressed pages of visitors, by everything they depend on. The least used ones leave when it is full. */
export class PageCache {
  private readonly options: PageCacheOptions
  private readonly entries: LRUCache<string, Entry>
  private readonly pending = new Map<string, Promise<PackedPage>>()
  private generation = 0

  constructor(options: PageCacheOptions) {
    this.options = options
    this.entries = new LRUCache({
      maxSize: options.maxBytes,
      sizeCalculation: ({ page }, key) => page.br.length + page.gzip.length + key.length + ENTRY_BYTES,
    })
  }

  /** The page of `key`, made at most once at a time however many ask. A page that must not be kept is made for each key again. */
  async take(key: string, make: () => Promise<FreshPage>): Promise<PackedPage> {
    const now = this.options.clock.now().getTime()
    const entry = this.entries.get(key)
    if (entry !== undefined && entry.freshUntil > now) return entry.page
    const pending = this.pending.get(key)
    if (pending !== undefined) return pending
    const making = this.make(key, make).finally(() => {
      if (this.pending.get(key) === making) this.pending.delete(key)
    })
    this.pending.set(key, making)
    return making
  }

  /** Forgets everything: the catalogue or the settings changed. A page being made from the old ones is not kept either. */
  clear(): void {
    this.generation += 1
    this.entries.clear()
    this.pending.clear()
  }

  private async make(key: string, make: () => Promise<FreshPage>): Promise<PackedPage> {
    const { generation } = this
    const madeAt = this.options.clock.now().getTime()
    const fresh = await make()
    const page = await packPage(fresh)
    if (fresh.keep && generation === this.generation) {
      this.entries.set(key, { page, freshUntil: madeAt + this.options.maxAgeMs })
    }
    return page
  }
}

/** Compresses a page both ways; a client that takes neither is served by unpacking. */
export async function packPage(fresh: FreshPage): Promise<PackedPage> {
  const body = Buffer.from(fresh.body)
  const [br, gzipped] = await Promise.all([
    toBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    toGzip(body, { level: GZIP_LEVEL }),
  ])
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { status: fresh.status, contentType: fresh.contentType, location: fresh.location, etag, br, gzip: gzipped }
}

export async function bodyOf(page: PackedPage, encoding: Encoding): Promise<Buffer> {
  return encoding === 'identity' ? fromBrotli(page.br) : page[encoding]
}

/** The best of what the client takes, as its Accept-Encoding says. `q=0` refuses. */
export function encodingFor(acceptEncoding: string | undefined): Encoding {
  const accepted = new Map<string, number>()
  for (const part of (acceptEncoding ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    accepted.set(name, quality === undefined ? 1 : Number(quality))
  }
  const takes = (name: string) => (accepted.get(name) ?? accepted.get('*') ?? 0) > 0
  if (takes('br')) return 'br'
  return takes('gzip') ? 'gzip' : 'identity'
}
