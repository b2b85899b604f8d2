import { type ErrorsReply, type ReferenceReply, reference } from '#contract/calls/reference-calls.ts'
import type { Locale } from '#contract/constants.ts'
import { type Call, cachedRoute } from '#server/house/http/call.ts'
import { requireOpen } from '#server/house/http/closed-pages.ts'
import { describeReference } from './describe-reference.ts'
import { listErrors, type WordsByProtocol } from './list-errors.ts'
import { describeProtocol } from './protocols/describe-protocol.ts'

/** Returns the calls of the API reference. `all` lists every call, and is called only after all calls exist. */
export function referenceCalls(all: () => readonly Call[], words: WordsByProtocol): Call[] {
  const replies = new Map<Locale, ReferenceReply>()
  const errors = new Map<Locale, ErrorsReply>()
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
    cachedRoute(reference.protocol, async (ctx, caller, { name }) => {
      requireOpen(ctx, caller, 'doc')
      const { locale } = caller
      return { cacheKey: `${name} ${locale}`, make: () => describeProtocol(name, locale) }
    }),
    cachedRoute(reference.errors, async (ctx, caller) => {
      requireOpen(ctx, caller, 'doc')
      const { locale } = caller
      return {
        cacheKey: locale,
        make: () => {
          const reply = errors.get(locale) ?? listErrors(all(), words, locale)
          errors.set(locale, reply)
          return reply
        },
      }
    }),
  ]
}
