import { type ReferenceReply, reference } from '#contract/calls/reference-calls.ts'
import type { Locale } from '#contract/constants.ts'
import { type Call, cachedRoute } from '#server/house/http/call.ts'
import { requireOpen } from '#server/house/http/closed-pages.ts'
import { describeReference } from './describe-reference.ts'

/** Returns the calls of the API reference. `all` lists every call, and is called only after all calls exist. */
export function referenceCalls(all: () => readonly Call[]): Call[] {
  const replies = new Map<Locale, ReferenceReply>()
  return [
    cachedRoute(reference.list, async (ctx, caller) => {
      requireOpen(ctx, caller, 'doc')
      const { locale } = caller
      return {
        cacheKey: locale,
        make: () => {
          const reply = replies.get(locale) ?? describeReference(all(), locale)
          replies.set(locale, reply)
          return reply
        },
      }
    }),
  ]
}
