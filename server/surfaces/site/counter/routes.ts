import { z } from 'zod'
import { counterReplySchema } from '#contract/content.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'

export const counterCalls: Call[] = [
  // A signed-in page gets no snippets: it holds a token that foreign scripts could read, and its content security
  // policy would block them.
  defineCall('GET /api/util/counter', {
    auth: 'optional',
    input: z.object({}),
    reply: counterReplySchema,
    handle: async ({ config }, { member }) => ({
      status: true,
      code: member === null ? config.counter.snippets.map(({ code }) => code) : [],
    }),
  }),
]
