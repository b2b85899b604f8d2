import type { FastifyRequest } from 'fastify'
import type { Locale } from '#contract/constants.ts'
import type { Zone } from '#server/house/config/zones.ts'
import { acceptedLocales } from './accepted-locale.ts'
import { localeOf } from './caller.ts'
import { cookieOf } from './cookies.ts'

export function viewLocale(zone: Zone, request: FastifyRequest): Locale {
  const chosen = cookieOf(request, 'locale')
  const wanted = [...(chosen === undefined ? [] : [chosen]), ...acceptedLocales(request.headers)]
  return localeOf(zone, wanted.find((locale) => zone.locales.some((known) => known === locale)) ?? chosen)
}
