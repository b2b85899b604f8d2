/** A link or host in a text. `path` begins with `/` or is empty; `linked` is false for a mere name with a dot. */
export type Link = { host: string; path: string; linked: boolean; start: number; end: number }

const MAX_LINKS = 20

/** Finds links and hosts. Each word is read once, so the work is linear in the text. */
export function findLinks(folded: string): Link[] {
  const links: Link[] = []
  if (!HAS_HOST.test(folded)) return links
  for (const { 0: token, index } of folded.matchAll(TOKEN)) {
    const scheme = token.indexOf('://')
    const from = scheme === -1 ? 0 : scheme + 3
    const [, host = '', path = ''] = HOST.exec(token.slice(from, from + MAX_LINK_LENGTH)) ?? []
    if (host === '') continue
    const linked = scheme !== -1 || host.startsWith('www.') || path.length > 1
    const start = index + from
    links.push({ host, path, linked, start, end: start + host.length + path.length })
    if (links.length === MAX_LINKS) break
  }
  return links
}

/** A quick check, which skips most texts, because their dots only end sentences. */
const HAS_HOST = /[a-z0-9-]\.[a-z]{2}/
const TOKEN = /[a-z0-9_.:/?#%&=+~@-]{4,}/g
const MAX_LINK_LENGTH = 300
const HOST = /^([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,6}\.[a-z]{2,24})(?=$|[:/?#.,])(?::\d{1,5})?(\/.*)?/

/** Finds the website that a last line like `@example.com #123456` binds the code to, even without `#` or line break. */
export function findBoundHost(folded: string): string | null {
  return boundOf(folded)?.[1] ?? null
}

export function findBoundCode(folded: string): string | null {
  return /^\d{4,8}$/.exec(boundOf(folded)?.[2] ?? '')?.[0] ?? null
}

function boundOf(folded: string): RegExpExecArray | null {
  return folded.includes('@') ? BOUND.exec(folded.trimEnd().slice(-BOUND_LENGTH)) : null
}

const BOUND_LENGTH = 160
const BOUND = /(?:^|\s)@([a-z0-9.-]{3,64}) {0,3}#? {0,3}(?=[a-z-]{0,8}\d)([a-z0-9-]{3,12})(?: {1,3}%[a-z0-9.-]{3,64})?$/
