import { z } from 'zod'
import {
  answerReplySchema,
  answersReplySchema,
  articleReplySchema,
  articlesFilterSchema,
  articlesReplySchema,
  contentSearchFilterSchema,
  contentSearchReplySchema,
  counterReplySchema,
  documentReplySchema,
  slugSchema,
} from '#contract/content.ts'
import { DOCUMENTS } from '#contract/content-names.ts'
import { factsReplySchema } from '#contract/status/facts.ts'
import { statusReplySchema } from '#contract/status/status.ts'
import { siteSettingsSchema } from '#contract/user.ts'
import { ANYBODY, type DeclaredCalls, nothing, STRANGER } from './call.ts'

const oneText = z.object({ category: slugSchema, slug: slugSchema })

export const content = {
  document: {
    key: 'GET /api/v1/content/documents/{name}',
    who: ANYBODY,
    input: z.object({ name: z.enum(DOCUMENTS) }),
    reply: documentReplySchema,
  },
  articles: {
    key: 'GET /api/v1/content/articles',
    who: ANYBODY,
    input: articlesFilterSchema,
    reply: articlesReplySchema,
  },
  article: {
    key: 'GET /api/v1/content/articles/{category}/{slug}',
    who: ANYBODY,
    input: oneText,
    reply: articleReplySchema,
  },
  answers: { key: 'GET /api/v1/content/answers', who: ANYBODY, input: nothing, reply: answersReplySchema },
  answer: {
    key: 'GET /api/v1/content/answers/{category}/{slug}',
    who: ANYBODY,
    input: oneText,
    reply: answerReplySchema,
  },
  search: {
    key: 'GET /api/v1/content/search',
    who: ANYBODY,
    input: contentSearchFilterSchema,
    reply: contentSearchReplySchema,
  },
  status: { key: 'GET /api/v1/status', who: STRANGER, input: nothing, reply: statusReplySchema },
  facts: { key: 'GET /api/v1/facts', who: ANYBODY, input: nothing, reply: factsReplySchema },
  settings: { key: 'GET /api/content/settings', who: ANYBODY, input: nothing, reply: siteSettingsSchema },
  counter: { key: 'GET /api/util/counter', who: ANYBODY, input: nothing, reply: counterReplySchema },
} as const satisfies DeclaredCalls
