import { content } from '#contract/calls/content-calls.ts'
import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { type Call, route } from '#server/house/http/call.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { requireOpen } from '#server/house/http/closed-pages.ts'
import { getAnswer, listAnswers } from './answers.ts'
import { getArticle, listArticles } from './articles.ts'
import { contentOf } from './content-of.ts'
import { searchContent } from './search-content.ts'
import { shownText } from './shown-text.ts'

export const contentCalls: Call[] = [
  route(content.document, async (ctx, caller, { name }) => {
    requireOpen(ctx, caller, name)
    const text = (await contentOf(ctx))[caller.locale].documents.get(name)
    if (text === undefined) throw notFound()
    return { status: true, data: shownText(text) }
  }),
  route(content.articles, whileOpen('blog', listArticles)),
  route(content.article, whileOpen('blog', getArticle)),
  route(content.answers, whileOpen('faq', listAnswers)),
  route(content.answer, whileOpen('faq', getAnswer)),
  route(content.search, searchContent),
]

function whileOpen<Input, Reply>(page: string, handle: (ctx: Context, caller: Caller, input: Input) => Promise<Reply>) {
  return async (ctx: Context, caller: Caller, input: Input): Promise<Reply> => {
    requireOpen(ctx, caller, page)
    return handle(ctx, caller, input)
  }
}
