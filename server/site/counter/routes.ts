import { z } from 'zod'
import { counterReplySchema } from '#contract/content.ts'
import { type Call, defineCall } from '#server/http/call.ts'

export const counterCalls: Call[] = [
  // A page in which somebody is signed in holds their token, and a script of others could read it: there are no snippets
  // for it, and the content security policy it comes with would not run them.
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
