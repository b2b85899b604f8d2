import { Marked, type Token, type Tokens } from 'marked'

export type RenderedText = {
  /** The HTML is safe to show, because it is made from Markdown, every text is escaped, and raw HTML is not allowed. */
  html: string
  headings: { id: string; text: string; level: number }[]
  links: { path: string; line: number }[]
  plain: string
}

const PLACEHOLDER_PATTERN = /\{\{(\w+)\}\}/g
const OUTSIDE = /^(?:https?|mailto):/

/** Renders Markdown. `mistake` gets each mistake's line within the body, counted from 1. */
export function renderText(
  body: string,
  facts: Readonly<Record<string, string>>,
  mistake: (line: number, what: string) => void,
): RenderedText {
  const filled = body.replaceAll(PLACEHOLDER_PATTERN, (whole, name: string) => {
    const fact = facts[name]
    if (fact === undefined) mistake(lineOf(body, whole), `there is no fact {{${name}}}`)
    return fact ?? ''
  })
  const headings: RenderedText['headings'] = []
  const links: RenderedText['links'] = []
  const marked = new Marked({ gfm: true })
  const tokens = marked.lexer(filled)
  for (const token of everyToken(tokens)) {
    if (token.type === 'html') mistake(lineOf(filled, token.raw), 'HTML is not allowed, only Markdown')
    if (token.type === 'image') mistake(lineOf(filled, token.raw), 'pictures have no place here yet')
    if (token.type === 'link') collectLink(token.href, lineOf(filled, token.raw), links, mistake)
    if (token.type === 'heading') {
      if (token.depth === 1) mistake(lineOf(filled, token.raw), 'headings begin with ##: the title is the first')
      headings.push({
        id: headingId(plainOf(token.tokens ?? []), headings),
        text: plainOf(token.tokens ?? []),
        level: token.depth,
      })
    }
  }
  return { html: toHtml(marked, tokens, headings), headings, links, plain: plainOf(tokens) }
}

function* everyToken(tokens: readonly Token[]): Generator<Token> {
  for (const token of tokens) {
    yield token
    if (token.type === 'list') yield* everyToken((token as Tokens.List).items)
    // The union of the library marked includes tokens of extensions, which this project does not use.
    else if (token.type === 'table') yield* everyCell(token as Tokens.Table)
    else if ('tokens' in token) yield* everyToken(token.tokens ?? [])
  }
}

function* everyCell({ header, rows }: Tokens.Table): Generator<Token> {
  for (const cell of [header, ...rows].flat()) yield* everyToken(cell.tokens)
}

function collectLink(
  href: string,
  line: number,
  links: RenderedText['links'],
  mistake: (line: number, what: string) => void,
): void {
  if (href.startsWith('/') && !href.startsWith('//')) links.push({ path: href.split(/[?#]/)[0] ?? '/', line })
  else if (!OUTSIDE.test(href) && !href.startsWith('#'))
    mistake(line, `the link ${href} is neither a path nor an address`)
}

function toHtml(marked: Marked, tokens: ReturnType<Marked['lexer']>, headings: RenderedText['headings']): string {
  let next = 0
  marked.use({
    renderer: {
      heading({ tokens: inner, depth }: Tokens.Heading) {
        const id = headings[next]?.id ?? ''
        next += 1
        return `<h${depth} id="${id}">${this.parser.parseInline(inner)}</h${depth}>\n`
      },
      link({ href, tokens: inner }: Tokens.Link) {
        const away = OUTSIDE.test(href) ? ' rel="noopener"' : ''
        return `<a href="${escapeHtml(href)}"${away}>${this.parser.parseInline(inner)}</a>`
      },
      html: () => '',
      image: () => '',
    },
  })
  // Wide tables and code scroll on their own on a phone, and `tabindex` lets the keyboard scroll them.
  return marked
    .parser(tokens)
    .replaceAll('<table>', '<div class="prose-table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">')
}

function headingId(text: string, earlier: readonly { id: string }[]): string {
  const base =
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '') || 'section'
  const taken = new Set(earlier.map(({ id }) => id))
  let id = base
  for (let number = 2; taken.has(id); number += 1) id = `${base}-${number}`
  return id
}

function plainOf(tokens: readonly Token[]): string {
  return tokens.map(plainOfOne).join('').replaceAll(/\s+/g, ' ').trim()
}

function plainOfOne(token: Token): string {
  if (token.type === 'table') {
    // The cast is needed, because the library marked types its tables as generic tokens.
    const { header, rows } = token as Tokens.Table
    return `${[header, ...rows]
      .flat()
      .map((cell) => plainOf(cell.tokens))
      .join(' ')} `
  }
  if (token.type === 'list') return `${(token as Tokens.List).items.map((item) => plainOf(item.tokens)).join(' ')} `
  const inner = 'tokens' in token ? token.tokens : undefined
  const text =
    inner !== undefined && inner.length > 0
      ? inner.map(plainOfOne).join('')
      : 'text' in token
        ? String(token.text)
        : ' '
  return BLOCKS.has(token.type) ? `${unescapeHtml(text)} ` : unescapeHtml(text)
}

const BLOCKS = new Set(['paragraph', 'heading', 'code', 'blockquote', 'space'])

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

function unescapeHtml(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function lineOf(text: string, part: string): number {
  const at = text.indexOf(part)
  return at < 0 ? 1 : text.slice(0, at).split('\n').length
}
