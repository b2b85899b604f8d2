import { Marked, type Token, type Tokens } from 'marked'
import { MEBIBYTE } from '#contract/time.ts'
import { boundedTextCache } from '#server/house/bounded-cache.ts'

/** The limits of a parsed paragraph, whose parsing time grows with length times marks. Larger ones stay as written. */
const PARAGRAPH_LENGTH = 2_000
const PARAGRAPH_MARKS = 200
const MARK = /[*_~`[\]!\\]|\n/g
/** The parser recurses for each level of quotes and lists, so texts with too many levels are not parsed. */
const TOO_DEEP = /^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])[ \t]?){8}|^ {24,}(?:[*+-]|\d{1,9}[.)])/m

const OUTSIDE = /^(?:https?:\/\/|mailto:)/i
const WITHIN = /^\/(?![/\\])/
/**
 * Browsers drop some of these characters and treat others as a slash, so the link would lead elsewhere than it reads.
 */
const UNFIT_IN_ADDRESS = /[\p{Cc}\p{Z}\\]/u
/** Direction overrides and embeddings would reverse the host shown after a link. */
const TURNS = /[\u202a-\u202e]/g
/** Trailing punctuation belongs to the sentence, not to the URL. */
const BARE_ADDRESS = /https?:\/\/[^\s<>"']{1,2000}[^\s<>"'.,;:!?)\]}]/g

const RENDERED_BYTES = 16 * MEBIBYTE
const rendered = boundedTextCache(RENDERED_BYTES)

/**
 * Renders a message as HTML, with elements of our own only and all text escaped. HTML is shown as text, pictures as
 * links. Links lead to http, mail or a path of this site.
 */
export function renderMessage(body: string): string {
  const known = rendered.get(body)
  if (known !== undefined) return known
  const told = body.replaceAll(TURNS, '')
  const html = isPlain(told) ? plainHtml(told) : blocks(marked.lexer(told))
  rendered.set(body, html)
  return html
}

const marked = new Marked({
  gfm: true,
  breaks: true,
  tokenizer: {
    // Disabled tokens stay text. Bare addresses are found later in linear time.
    html: () => undefined,
    tag: () => undefined,
    url: () => undefined,
    autolink: () => undefined,
    def: () => undefined,
    lheading: () => undefined,
    table: () => undefined,
  },
})

function isPlain(body: string): boolean {
  return TOO_DEEP.test(body) || body.split(/\n\s*\n/).some(isTooMuch)
}

function isTooMuch(paragraph: string): boolean {
  return paragraph.length > PARAGRAPH_LENGTH || (paragraph.match(MARK)?.length ?? 0) > PARAGRAPH_MARKS
}

function plainHtml(body: string): string {
  return `<p>${withLinks(body)}</p>`
}

function blocks(tokens: readonly Token[]): string {
  return tokens.map(block).join('')
}

/** Renders a block of a message. The casts follow marked's own union of tokens, which its extensions leave open. */
function block(token: Token): string {
  switch (token.type) {
    case 'space':
      return ''
    case 'hr':
      return '<hr>'
    case 'code':
      return `<pre tabindex="0"><code>${escapeHtml((token as Tokens.Code).text)}</code></pre>`
    case 'heading':
      return `<p><strong>${inline(token.tokens)}</strong></p>`
    case 'blockquote':
      return `<blockquote>${blocks(token.tokens ?? [])}</blockquote>`
    case 'list':
      return list(token as Tokens.List)
    case 'paragraph':
      return `<p>${inline(token.tokens)}</p>`
    case 'text':
      return 'tokens' in token ? inline(token.tokens) : withLinks(token.raw)
    default:
      return inline([token])
  }
}

function list({ ordered, start, items }: Tokens.List): string {
  const inner = items.map(({ tokens }) => `<li>${blocks(tokens)}</li>`).join('')
  if (!ordered) return `<ul>${inner}</ul>`
  return start === '' || start === 1 ? `<ol>${inner}</ol>` : `<ol start="${Number(start)}">${inner}</ol>`
}

function inline(tokens: readonly Token[] = [], isLinked = false): string {
  return tokens.map((token) => inlineOf(token, isLinked)).join('')
}

function inlineOf(token: Token, isLinked: boolean): string {
  const inner = () => inline('tokens' in token ? token.tokens : [], isLinked)
  switch (token.type) {
    case 'br':
      return '<br>'
    case 'strong':
      return `<strong>${inner()}</strong>`
    case 'em':
      return `<em>${inner()}</em>`
    case 'del':
      return `<del>${inner()}</del>`
    case 'codespan':
      return `<code>${escapeHtml((token as Tokens.Codespan).text)}</code>`
    case 'link':
      return anchor((token as Tokens.Link).href, inline(token.tokens, true), isLinked)
    case 'image':
      return anchor((token as Tokens.Image).href, escapeHtml(token.text || token.href), isLinked)
    case 'escape':
    case 'text':
      return isLinked ? escapeHtml(token.text) : withLinks(token.text)
    default:
      return escapeHtml(token.raw)
  }
}

function anchor(href: string, words: string, isLinked: boolean): string {
  const leads = (OUTSIDE.test(href) || WITHIN.test(href)) && !UNFIT_IN_ADDRESS.test(href)
  if (isLinked || !leads) return words
  if (!OUTSIDE.test(href)) return `<a href="${escapeHtml(href)}">${words}</a>`
  const link = `<a href="${escapeHtml(href)}" rel="nofollow noopener ugc">${words}</a>`
  const place = placeOf(href)
  // A bare address itself tells where it leads, unless a user name or foreign letters hide the host.
  const isTold = words === escapeHtml(href) && href.toLowerCase().split('/')[2] === place
  return isTold || words === escapeHtml(place) ? link : `${link} (${escapeHtml(place)})`
}

/** Returns the true target, a host or a mail address, whatever the text of the link says. */
function placeOf(href: string): string {
  const url = URL.parse(href)
  return url?.host || url?.pathname || href
}

function withLinks(text: string): string {
  let html = ''
  let from = 0
  for (const { 0: address, index } of text.matchAll(BARE_ADDRESS)) {
    html += `${lines(text.slice(from, index))}${anchor(address, escapeHtml(address), false)}`
    from = index + address.length
  }
  return html + lines(text.slice(from))
}

const lines = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>')

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
