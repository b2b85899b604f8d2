import { content } from '#contract/calls/content-calls.ts'
import { type Call, route } from '#server/house/http/call.ts'

export const counterCalls: Call[] = [
  // A signed-in page holds a token that other scripts could read. It gets no counter snippets, and its content security
  // policy would block them.
  route(content.counter, async ({ config }, { member }) => ({
    status: true,
    code: member === null ? config.counter.snippets.map(({ code }) => code) : [],
  })),
]
