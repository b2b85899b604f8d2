import type { IncomingHttpHeaders } from 'node:http'
import { isBot } from '#contract/bots.ts'
import { INTERFACE_LOCALES, type InterfaceLocale } from '#contract/settings/languages.ts'
import { boundedCache } from '#server/house/bounded-cache.ts'

const READ_MAX_LENGTH = 200
const MAX_REMEMBERED = 500

/** Parsed Accept-Language headers are cached, because parsing takes a tenth of the time of a cached page. */
const remembered = boundedCache<string, readonly InterfaceLocale[]>(MAX_REMEMBERED)

/** Lists our languages by the browser's preference. The list is empty for bots, which get the main language of the domain. */
export function acceptedLocales(headers: IncomingHttpHeaders): readonly InterfaceLocale[] {
  const accepted = headers['accept-language']
  if (accepted === undefined || isBot(headers['user-agent'] ?? '')) return []
  if (accepted.length > READ_MAX_LENGTH) return localesIn(accepted.slice(0, READ_MAX_LENGTH))
  const known = remembered.get(accepted)
  if (known !== undefined) return known
  const locales = localesIn(accepted)
  remembered.set(accepted, locales)
  return locales
}

function localesIn(accepted: string): readonly InterfaceLocale[] {
  const weights = new Map<InterfaceLocale, number>()
  for (const range of accepted.split(',')) {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';')
    const locale = INTERFACE_LOCALES.find((known) => tag === known || tag.startsWith(`${known}-`))
    const weight = weightOf(parameters)
    if (locale !== undefined && weight > 0) weights.set(locale, Math.max(weight, weights.get(locale) ?? 0))
  }
  return [...weights].sort(([, left], [, right]) => right - left).map(([locale]) => locale)
}

function weightOf(parameters: readonly string[]): number {
  const written = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('q='))
  if (written === undefined) return 1
  const weight = Number(written.slice(2))
  return weight >= 0 && weight <= 1 ? weight : 0
}
