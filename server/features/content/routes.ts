import { z } from 'zod'
import {
  answerReplySchema,
  answersReplySchema,
  articleReplySchema,
  articlesFilterSchema,
  articlesReplySchema,
  contentSearchFilterSchema,
  contentSearchReplySchema,
  documentReplySchema,
  slugSchema,
} from '#contract/content.ts'
import { DOCUMENTS } from '#contract/content-names.ts'
import { notFound } from '#server/errors.ts'
import { requireOpen } from '#server/features/site/closed-pages.ts'
import { type Call, defineCall } from '#server/http/call.ts'
import { getAnswer, listAnswers } from './answers.ts'
import { getArticle, listArticles } from './articles.ts'
import { contentOf } from './content-of.ts'
import { searchContent } from './search-content.ts'
import { shownText } from './shown-text.ts'

const oneText = z.object({ category: slugSchema, slug: slugSchema })

/** The texts of the site. What belongs to a closed page is closed with it. */
export const contentCalls: Call[] = [
  defineCall('GET /api/v1/content/documents/{name}', {
    auth: 'optional',
    input: z.object({ name: z.enum(DOCUMENTS) }),
    reply: documentReplySchema,
    async handle(ctx, caller, { name }) {
      requireOpen(ctx, caller, name)
      const text = (await contentOf(ctx))[caller.locale].documents.get(name)
      if (text === undefined) throw notFound()
      return { status: true, data: shownText(text) }
    },
  }),
  defineCall('GET /api/v1/content/articles', {
    auth: 'optional',
    input: articlesFilterSchema,
    reply: articlesReplySchema,
    async handle(ctx, caller, filter) {
      requireOpen(ctx, caller, 'blog')
      return listArticles(ctx, caller, filter)
    },
  }),
  defineCall('GET /api/v1/content/articles/{category}/{slug}', {
    auth: 'optional',
    input: oneText,
    reply: articleReplySchema,
    async handle(ctx, caller, wanted) {
      requireOpen(ctx, caller, 'blog')
      return getArticle(ctx, caller, wanted)
    },
  }),
  defineCall('GET /api/v1/content/answers', {
    auth: 'optional',
    input: z.object({}),
    reply: answersReplySchema,
    async handle(ctx, caller) {
      requireOpen(ctx, caller, 'faq')
      return listAnswers(ctx, caller)
    },
  }),
  defineCall('GET /api/v1/content/answers/{category}/{slug}', {
    auth: 'optional',
    input: oneText,
    reply: answerReplySchema,
    async handle(ctx, caller, wanted) {
      requireOpen(ctx, caller, 'faq')
      return getAnswer(ctx, caller, wanted)
    },
  }),
  defineCall('GET /api/v1/content/search', {
    auth: 'optional',
    input: contentSearchFilterSchema,
    reply: contentSearchReplySchema,
    handle: searchContent,
  }),
]
