import { type Api, CallError } from '#contract/calls/calls.ts'
import type { ArticleItem } from '#contract/content.ts'

const ARTICLES_SHOWN = 3

/** Loads the newest articles, those that mention the name first. Returns none if the operator has closed the blog. */
export async function loadArticlesAbout(api: Api, about: string): Promise<ArticleItem[]> {
  try {
    return (await api('GET /api/v1/content/articles', { about, per_page: ARTICLES_SHOWN })).data
  } catch (error) {
    if (error instanceof CallError && error.httpStatus === 404) return []
    throw error
  }
}
