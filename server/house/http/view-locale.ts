import type { FastifyRequest } from 'fastify'
import type { InterfaceLocale } from '#contract/settings/languages.ts'
import type { Zone } from '#server/house/config/zones.ts'
import { acceptedLocales } from './accepted-locale.ts'
import { offeredLocale } from './caller.ts'
import { cookieOf } from './cookies.ts'

export function viewLocale(zone: Zone, request: FastifyRequest): InterfaceLocale {
  const chosen = cookieOf(request, 'locale')
  const wanted = [...(chosen === undefined ? [] : [chosen]), ...acceptedLocales(request.headers)]
  return offeredLocale(zone, wanted.find((locale) => zone.locales.some((known) => known === locale)) ?? chosen)
}
