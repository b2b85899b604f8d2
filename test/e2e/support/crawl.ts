const AT_ONCE = 8
const READ_OF_TEMPLATE = 30
/** A redirect to this address proves that a screen for members exists. */
const SIGN_IN = '/?login=1&redirect='
const LINKS = [
  /<(?:a|link)\b[^>]*? href="([^"]*)"/g,
  /<(?:img|script)\b[^>]*? src="([^"]*)"/g,
  /<form\b[^>]*? action="([^"]*)"/g,
  /property="og:image" content="([^"]*)"/g,
]

type Answered = { status: number; location: string | null; html: string | null }

/** Crawls a site by its links, each address once. Records links that lead nowhere or only redirect. */
export class Crawl {
  readonly dead: string[] = []
  readonly external = new Set<string>()
  asked = 0
  readonly #site: string
  readonly #publicUrl: string
  readonly #locale: string
  /** The addresses found so far, each with the first page that links to it. */
  readonly #known = new Map<string, string>()
  readonly #waiting: string[] = []
  readonly #read = new Map<string, number>()
  readonly #anchors: { path: string; id: string; from: string }[] = []
  readonly #ids = new Map<string, Set<string>>()

  /** Pages name their site by `publicUrl`, but requests go to `site`. */
  constructor({ site, publicUrl, locale }: { site: string; publicUrl: string; locale: string }) {
    this.#site = site
    this.#publicUrl = publicUrl
    this.#locale = locale
  }

  find(link: string, from: string): void {
    const url = new URL(link, new URL(from.startsWith('/') ? from : '/', this.#site))
    if (url.origin !== this.#site && url.origin !== this.#publicUrl) {
      this.external.add(url.href)
      return
    }
    const path = url.pathname + url.search
    if (url.hash !== '') this.#anchors.push({ path, id: decodeURIComponent(url.hash.slice(1)), from })
    if (this.#known.has(path)) return
    this.#known.set(path, from)
    this.#waiting.push(path)
  }

  async finish(): Promise<void> {
    await Promise.all(Array.from({ length: AT_ONCE }, () => this.#work()))
    while (this.#waiting.length > 0) await this.#work()
    for (const { path, id, from } of this.#anchors) {
      if (this.#ids.get(path)?.has(id) === false) this.dead.push(`${path}#${id} (from ${from}): no such place`)
    }
  }

  async #work(): Promise<void> {
    for (let path = this.#waiting.shift(); path !== undefined; path = this.#waiting.shift()) await this.#visit(path)
  }

  async #visit(path: string): Promise<void> {
    const from = this.#known.get(path)
    const asked = this.#askedFor(path)
    if (asked === null) return
    this.asked += 1
    const { status, location, html } = await this.#ask(asked)
    if (location?.startsWith(SIGN_IN)) return
    if (location !== null) this.dead.push(`${path} (from ${from}): sends on to ${location}`)
    else if (status !== 200) this.dead.push(`${path} (from ${from}): ${status}`)
    if (html === null) return
    this.#ids.set(path, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => unescapeHtml(id ?? ''))))
    for (const pattern of LINKS)
      for (const [, link] of html.matchAll(pattern)) this.find(unescapeHtml(link ?? ''), path)
  }

  async #ask(path: string): Promise<Answered> {
    const reply = await fetch(this.#site + path, {
      redirect: 'manual',
      headers: { cookie: `locale=${this.#locale}` },
    })
    const text = await reply.text()
    const isPage = reply.headers.get('content-type')?.startsWith('text/html') === true
    return { status: reply.status, location: reply.headers.get('location'), html: isPage ? text : null }
  }

  /**
   * Returns the address to request, or null for further addresses that only differ by a filter. After enough pages of a
   * template, only a page's data is requested, which is missing if the page is missing.
   */
  #askedFor(path: string): string | null {
    const [, template, slug] = /^\/(service|country)\/([^/?]+)$/.exec(path) ?? []
    const kind = template ?? (path.includes('?') ? path.split('?')[0] : undefined)
    if (kind === undefined) return path
    const read = this.#read.get(kind) ?? 0
    this.#read.set(kind, read + 1)
    if (read < READ_OF_TEMPLATE) return path
    if (template === undefined) return null
    return `/api/v1/directory/${template === 'service' ? 'services' : 'countries'}/${slug}`
  }
}

function unescapeHtml(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')
}
