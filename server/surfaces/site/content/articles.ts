import type { ArticleItem, ArticleReply, ArticlesReply } from '#contract/content.ts'
import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { contentOf } from './content-of.ts'
import type { Article, Content } from './read-content.ts'
import { shownText } from './shown-text.ts'

const RELATED_SHOWN = 3
/** Shorter names stand inside many other words. */
const LEAST_NAME_LENGTH = 4
/** The reading speed of a slow reader. Numerals and program code count as words. */
const WORDS_PER_MINUTE = 180

/**
 * Lists articles, newest first, but those that mention the name `about` before all others. Throws NOT_FOUND for an
 * unknown category.
 */
export async function listArticles(
  ctx: Context,
  caller: Caller,
  filter: { category?: string | undefined; about?: string | undefined; page: number; per_page: number },
): Promise<ArticlesReply> {
  const content = (await contentOf(ctx))[caller.locale]
  const { category } = filter
  if (category !== undefined && !Object.hasOwn(content.sections.blog, category)) throw notFound()
  const fitting = mentioningFirst(
    content.articles.filter((article) => category === undefined || article.category === category),
    filter.about ?? '',
  )
  const from = (filter.page - 1) * filter.per_page
  return {
    status: true,
    data: fitting.slice(from, from + filter.per_page).map((article) => toItem(content, article)),
    meta: { last_page: Math.max(1, Math.ceil(fitting.length / filter.per_page)), total: fitting.length },
    categories: Object.entries(content.sections.blog).map(([slug, name]) => ({
      slug,
      title: name,
      count: content.articles.filter((article) => article.category === slug).length,
    })),
    category: category === undefined ? null : categoryOf(content, category),
  }
}

export async function getArticle(
  ctx: Context,
  caller: Caller,
  wanted: { category: string; slug: string },
): Promise<ArticleReply> {
  const content = (await contentOf(ctx))[caller.locale]
  const article = content.articles.find(({ category, slug }) => category === wanted.category && slug === wanted.slug)
  if (article === undefined) throw notFound()
  const others = content.articles.filter((other) => other !== article)
  const related = [
    ...others.filter(({ category }) => category === article.category),
    ...others.filter(({ category }) => category !== article.category),
  ]
  return {
    status: true,
    data: { ...toItem(content, article), ...shownText(article), author: article.front.author },
    related: related.slice(0, RELATED_SHOWN).map((other) => toItem(content, other)),
  }
}

/** Names such as `Google, YouTube, Gmail` join several, each of which counts. */
function mentioningFirst(articles: readonly Article[], about: string): readonly Article[] {
  const names = about
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const known = names.filter((name) => name.length >= LEAST_NAME_LENGTH)
  const mentions = ({ front, plain }: Article) => {
    const text = `${front.title} ${front.description} ${plain}`.toLowerCase()
    return known.some((name) => text.includes(name))
  }
  return known.length === 0 ? articles : articles.toSorted((a, b) => Number(mentions(b)) - Number(mentions(a)))
}

function toItem(content: Content, { slug, category, front, plain }: Article): ArticleItem {
  return {
    slug,
    title: front.title,
    description: front.description,
    category: categoryOf(content, category),
    published: front.published,
    reading_minutes: Math.max(1, Math.round(plain.split(' ').length / WORDS_PER_MINUTE)),
  }
}

function categoryOf({ sections }: Content, slug: string) {
  return { slug, title: sections.blog[slug] ?? slug }
}
