import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LOCALES, type Locale } from '#contract/constants.ts'
import { slugSchema } from '#contract/content.ts'
import { DOCUMENTS, type DocumentName } from '#contract/content-names.ts'
import {
  ContentMistakes,
  type FileKind,
  type Front,
  parseContentFile,
  parseYaml,
  type Sections,
  sectionsSchema,
} from './content-file.ts'
import { type RenderedText, renderText } from './render-text.ts'
import { SITE_PATHS } from './site-paths.ts'

export type Text<Kind extends FileKind> = RenderedText & { front: Front<Kind>; path: string }
export type Article = Text<'article'> & { category: string; slug: string }
export type Answer = Text<'answer'> & { category: string; slug: string }

/** All texts of one language. Articles are sorted newest first, and answers by their order within a category. */
export type Content = {
  sections: Sections
  documents: ReadonlyMap<DocumentName, Text<'document'>>
  articles: readonly Article[]
  answers: readonly Answer[]
}

export type ContentFacts = Record<Locale, Readonly<Record<string, string>>>

/**
 * Reads the site's articles, answers and documents. Throws ContentMistakes with every mistake, such as HTML and dead
 * links.
 */
export async function readContent(folder: string, facts: ContentFacts): Promise<Record<Locale, Content>> {
  const mistakes: string[] = []
  const [ru, en] = await Promise.all(LOCALES.map((locale) => readLanguage({ folder, locale, facts, mistakes })))
  // An unreadable file causes further mistakes, which would only hide the cause.
  if (ru === undefined || en === undefined || mistakes.length > 0) throw new ContentMistakes(mistakes.sort())
  checkSameTexts({ ru, en }, mistakes)
  for (const [locale, content] of Object.entries({ ru, en })) checkLinks(locale, content, mistakes)
  if (mistakes.length > 0) throw new ContentMistakes(mistakes.sort())
  return { ru, en }
}

type Reading = { folder: string; locale: Locale; facts: ContentFacts; mistakes: string[] }

async function readLanguage(reading: Reading): Promise<Content> {
  const sections = await readSections(reading)
  const documents = new Map<DocumentName, Text<'document'>>()
  for (const name of DOCUMENTS) {
    const text = await readText(reading, 'document', `documents/${name}`, name === 'doc' ? '/doc' : `/${name}`)
    if (text !== null) documents.set(name, text)
  }
  const articles = await readSection(reading, 'article', 'blog', Object.keys(sections.blog))
  const answers = await readSection(reading, 'answer', 'faq', Object.keys(sections.faq))
  return {
    sections,
    documents,
    articles: articles.sort(
      (a, b) => b.front.published.localeCompare(a.front.published) || a.slug.localeCompare(b.slug),
    ),
    answers: answers.sort((a, b) => a.front.order - b.front.order || a.slug.localeCompare(b.slug)),
  }
}

async function readSections({ folder, locale, mistakes }: Reading): Promise<Sections> {
  const name = `${locale}/sections.yml`
  const text = await readFile(join(folder, name), 'utf8').catch(() => '')
  const parsed = sectionsSchema.safeParse(parseYaml(text, (what) => mistakes.push(`${name}:1: ${what}`)))
  if (parsed.success) return parsed.data
  for (const { path, message } of parsed.error.issues) mistakes.push(`${name}:1: ${path.join('.')}: ${message}`)
  return { blog: {}, faq: {} }
}

/** Reads the texts of a section, whose folders must match the categories of sections.yml. */
async function readSection<Kind extends 'article' | 'answer'>(
  reading: Reading,
  kind: Kind,
  section: 'blog' | 'faq',
  categories: readonly string[],
): Promise<(Text<Kind> & { category: string; slug: string })[]> {
  const { folder, locale, mistakes } = reading
  const root = join(folder, locale, section)
  const found = await listFolder(root)
  for (const category of found) {
    if (!categories.includes(category))
      mistakes.push(`${locale}/${section}/${category}:1: sections.yml has no such category`)
  }
  const texts = await Promise.all(
    categories.map(async (category) => {
      const files = await listFolder(join(root, category))
      if (files.length === 0) mistakes.push(`${locale}/sections.yml:1: the category ${section}/${category} is empty`)
      return Promise.all(
        files.map(async (file) => {
          const slug = file.replace(/\.md$/, '')
          if (!file.endsWith('.md') || !slugSchema.safeParse(slug).success) {
            mistakes.push(
              `${locale}/${section}/${category}/${file}:1: the name is not small letters, digits and hyphens`,
            )
            return null
          }
          const text = await readText(
            reading,
            kind,
            `${section}/${category}/${slug}`,
            `/${section}/${category}/${slug}`,
          )
          return text === null ? null : { ...text, category, slug }
        }),
      )
    }),
  )
  return texts.flat().filter((text) => text !== null)
}

async function readText<Kind extends FileKind>(
  { folder, locale, facts, mistakes }: Reading,
  kind: Kind,
  name: string,
  path: string,
): Promise<Text<Kind> | null> {
  const file = `${locale}/${name}.md`
  const mistake = (line: number, what: string) => mistakes.push(`${file}:${line}: ${what}`)
  const text = await readFile(join(folder, file), 'utf8').catch(() => null)
  if (text === null) {
    mistake(1, 'it is missing')
    return null
  }
  const parsed = parseContentFile(kind, text, mistake)
  if (parsed === null) return null
  const rendered = renderText(parsed.body, facts[locale], (line, what) => mistake(parsed.bodyLine + line - 1, what))
  return { front: parsed.front, ...rendered, path }
}

async function listFolder(path: string): Promise<string[]> {
  return (await readdir(path).catch(() => [])).filter((name) => !name.startsWith('.')).sort()
}

function checkSameTexts(content: Record<Locale, Content>, mistakes: string[]): void {
  const paths = { ru: new Set(pathsOf(content.ru)), en: new Set(pathsOf(content.en)) }
  for (const [locale, other] of [
    ['ru', 'en'],
    ['en', 'ru'],
  ] as const) {
    for (const path of paths[other]) {
      if (!paths[locale].has(path)) mistakes.push(`${locale}${path}.md:1: only the other language has this text`)
    }
  }
}

function checkLinks(locale: string, content: Content, mistakes: string[]): void {
  const { blog, faq } = content.sections
  const sections = [
    ...Object.keys(blog).map((slug) => `/blog/${slug}`),
    ...Object.keys(faq).map((slug) => `/faq/${slug}`),
  ]
  const known = new Set([...SITE_PATHS, ...pathsOf(content), ...sections])
  for (const text of textsOf(content)) {
    for (const { path } of text.links) {
      if (!known.has(path)) mistakes.push(`${locale}${text.path}.md: the link ${path} leads nowhere`)
    }
  }
}

function textsOf({ documents, articles, answers }: Content): (RenderedText & { path: string })[] {
  return [...documents.values(), ...articles, ...answers]
}

function pathsOf(content: Content): string[] {
  return textsOf(content).map(({ path }) => path)
}
