import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { ContentMistakes, FACT_NAMES } from './content-file.ts'
import { readContent } from './read-content.ts'

const CONTENT = join(import.meta.dirname, '../../../../content')
const names = Object.fromEntries(FACT_NAMES.map((name) => [name, name]))
const facts = { ru: names, en: names }

test('the content of this repository has no mistakes, and enough of it in both languages', async () => {
  const { ru, en } = await readContent(CONTENT, facts)
  for (const content of [ru, en]) {
    expect(content.articles.length).toBeGreaterThanOrEqual(6)
    expect(content.answers.length).toBeGreaterThanOrEqual(24)
    expect(content.documents.size).toBe(8)
  }
  // Each language has its own texts, so no text is in both languages.
  const english = new Set(en.answers.map(({ plain }) => plain))
  expect(ru.answers.filter(({ plain }) => english.has(plain))).toEqual([])
})

test('the English of answers and articles has typographic quotes and apostrophes, and code has plain ones', async () => {
  const { en } = await readContent(CONTENT, facts)
  const straight = [...en.answers, ...en.articles].filter(({ front: { title, description }, html }) => {
    const prose = html.replaceAll(/<(pre|code)\b[\s\S]*?<\/\1>|<[^>]*>/gu, '')
    return /["']|&quot;|&#39;/u.test(`${title} ${description} ${prose}`)
  })
  expect(straight.map(({ front }) => front.title)).toEqual([])
})

const ANSWER = 'en/faq/start/what-is-it.md'
const FRONT = '---\ntitle: What\ndescription: It\nupdated: 2026-11-21\norder: 1\nasked: it\n---\n'

test.each<[string, Record<string, string | null>, RegExp]>([
  ['no front matter', { [ANSWER]: 'Words' }, /what-is-it\.md:1: it must begin with front matter/],
  ['an unknown key', { [ANSWER]: FRONT.replace('order', 'weight') }, /what-is-it\.md:2: .*(?:order|weight)/],
  ['a date that is none', { [ANSWER]: FRONT.replace('11-21', '13-41') }, /what-is-it\.md:2: updated:/],
  ['broken YAML', { [ANSWER]: FRONT.replace('What', 'a: b: c') }, /what-is-it\.md:2: /],
  ['HTML', { [ANSWER]: `${FRONT}Words\n\n<b>bold</b>\n` }, /what-is-it\.md:10: HTML is not allowed/],
  ['a comment', { [ANSWER]: `${FRONT}<!-- later -->\n` }, /what-is-it\.md:8: HTML is not allowed/],
  ['a picture', { [ANSWER]: `${FRONT}![x](/x.png)\n` }, /what-is-it\.md:8: pictures/],
  ['an unknown fact', { [ANSWER]: `${FRONT}{{nonsense}}\n` }, /what-is-it\.md:8: there is no fact \{\{nonsense\}\}/],
  ['a first heading', { [ANSWER]: `${FRONT}# Title\n` }, /what-is-it\.md:8: headings begin with ##/],
  ['a link to nowhere', { [ANSWER]: `${FRONT}[x](/faq/none)\n` }, /what-is-it\.md: the link \/faq\/none leads nowhere/],
  ['a script as a link', { [ANSWER]: `${FRONT}[x](javascript:alert)\n` }, /neither a path nor an address/],
  ['another host without a protocol', { [ANSWER]: `${FRONT}[x](//evil.test)\n` }, /neither a path nor an address/],
  [
    'one language only',
    { 'ru/blog/guides/only-here.md': `${FRONT.replace('order: 1\nasked: it', 'published: 2026-11-21\nauthor: A')}X` },
    /en\/blog\/guides\/only-here\.md:1: only the other language/,
  ],
  [
    'a category without a title',
    { 'en/faq/other/x.md': `${FRONT}X` },
    /en\/faq\/other:1: sections\.yml has no such category/,
  ],
  ['a name with capital letters', { 'en/faq/start/What.md': `${FRONT}X` }, /start\/What\.md:1: the name/],
  ['a document that is missing', { 'en/documents/contacts.md': null }, /en\/documents\/contacts\.md:1: it is missing/],
])('%s is a mistake that is named', async (_what, files, says) => {
  await using folder = await temporaryFolder()
  await cp(CONTENT, folder.root, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    const path = folder.path(name)
    await mkdir(dirname(path), { recursive: true })
    await (text === null ? rm(path) : writeFile(path, text))
  }
  const failure = await readContent(folder.root, facts).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ContentMistakes)
  expect(String(failure)).toMatch(says)
})

// E-17: the keyboard can reach a block that scrolls on its own.
test('what looks like HTML in code stays text, and wide tables and code scroll inside themselves', async () => {
  await using folder = await temporaryFolder()
  await cp(CONTENT, folder.root, { recursive: true })
  const body = 'Say `<script>alert(1)</script>`.\n\n## A & B\n\n## A & B\n\n| a |\n|---|\n| b |\n\n```\nlong\n```\n'
  await writeFile(folder.path(ANSWER), FRONT + body)
  const answer = (await readContent(folder.root, facts)).en.answers.find(({ path }) => path === '/faq/start/what-is-it')
  expect(answer?.html).toContain('<code>&lt;script&gt;alert(1)&lt;/script&gt;</code>')
  expect(answer?.html).toContain('<h2 id="a-b">A &amp; B</h2>')
  expect(answer?.html).toContain('<h2 id="a-b-2">')
  expect(answer?.html).toContain('<div class="prose-table" tabindex="0"><table>')
  expect(answer?.html).toContain('<pre tabindex="0"><code>long')
  expect(answer?.headings).toEqual([
    { id: 'a-b', text: 'A & B', level: 2 },
    { id: 'a-b-2', text: 'A & B', level: 2 },
  ])
  expect(answer?.plain).toBe('Say <script>alert(1)</script>. A & B A & B a b long')
})
