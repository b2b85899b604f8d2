import { CHOICE_COOKIE_SECONDS, type Locale } from '#contract/constants.ts'
import type { Context } from '#server/house/context.ts'
import type { Wire } from '#server/house/http/call.ts'
import { cookieOf, isSecure } from '#server/house/http/cookies.ts'

/** Brings the person's chosen language to a browser without a choice. The cookie is readable, as scripts change it. */
export function bringLocale({ config }: Context, { request, reply }: Wire, locale: Locale): void {
  if (cookieOf(request, 'locale') !== undefined) return
  reply.setCookie('locale', locale, {
    path: '/',
    sameSite: 'lax',
    secure: isSecure(config),
    maxAge: CHOICE_COOKIE_SECONDS,
  })
}
