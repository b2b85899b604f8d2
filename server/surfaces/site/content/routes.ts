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
import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { requireOpen } from '#server/house/http/closed-pages.ts'
import { getAnswer, listAnswers } from './answers.ts'
import { getArticle, listArticles } from './articles.ts'
import { contentOf } from './content-of.ts'
import { searchContent } from './search-content.ts'
import { shownText } from './shown-text.ts'

const oneText = z.object({ category: slugSchema, slug: slugSchema })

/** A closed page also closes the calls that read its texts. */
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
    handle: whileOpen('blog', listArticles),
  }),
  defineCall('GET /api/v1/content/articles/{category}/{slug}', {
    auth: 'optional',
    input: oneText,
    reply: articleReplySchema,
    handle: whileOpen('blog', getArticle),
  }),
  defineCall('GET /api/v1/content/answers', {
    auth: 'optional',
    input: z.object({}),
    reply: answersReplySchema,
    handle: whileOpen('faq', listAnswers),
  }),
  defineCall('GET /api/v1/content/answers/{category}/{slug}', {
    auth: 'optional',
    input: oneText,
    reply: answerReplySchema,
    handle: whileOpen('faq', getAnswer),
  }),
  defineCall('GET /api/v1/content/search', {
    auth: 'optional',
    input: contentSearchFilterSchema,
    reply: contentSearchReplySchema,
    handle: searchContent,
  }),
]

function whileOpen<Input, Reply>(page: string, handle: (ctx: Context, caller: Caller, input: Input) => Promise<Reply>) {
  return async (ctx: Context, caller: Caller, input: Input): Promise<Reply> => {
    requireOpen(ctx, caller, page)
    return handle(ctx, caller, input)
  }
}
