import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Locale } from '#contract/constants.ts'
import { contentLocale } from '#contract/settings/languages.ts'
import type { Context } from '#server/house/context.ts'
import { zoneOf } from '#server/house/http/caller.ts'
import { viewLocale } from '#server/house/http/view-locale.ts'

export function localeOfPage(ctx: Context, request: FastifyRequest): Locale {
  return contentLocale(viewLocale(zoneOf(ctx, request), request))
}

export function sendHtml(reply: FastifyReply, policy: string, body: string): FastifyReply {
  return reply
    .headers({
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    .type('text/html; charset=utf-8')
    .send(body)
}
