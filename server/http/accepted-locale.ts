import type { IncomingHttpHeaders } from 'node:http'
import { isBot } from '#contract/bots.ts'
import { LOCALES, type Locale } from '#contract/constants.ts'

/** What browsers send is shorter; what stands after it is not read. */
const READ_MAX_LENGTH = 200

/**
 * Our languages in the order in which a browser accepts them. None for programs that read pages for others: an address
 * shows them the language of its zone, as its canonical link says.
 */
export function acceptedLocales(headers: IncomingHttpHeaders): readonly Locale[] {
  const accepted = headers['accept-language']
  if (accepted === undefined || isBot(headers['user-agent'] ?? '')) return []
  const weights = new Map<Locale, number>()
  for (const range of accepted.slice(0, READ_MAX_LENGTH).split(',')) {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';')
    const locale = LOCALES.find((known) => tag === known || tag.startsWith(`${known}-`))
    const weight = weightOf(parameters)
    if (locale !== undefined && weight > 0) weights.set(locale, Math.max(weight, weights.get(locale) ?? 0))
  }
  return [...weights].sort(([, left], [, right]) => right - left).map(([locale]) => locale)
}

/** `q=0.8`; 1 without it, 0 for nonsense. */
function weightOf(parameters: readonly string[]): number {
  const written = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('q='))
  if (written === undefined) return 1
  const weight = Number(written.slice(2))
  return weight >= 0 && weight <= 1 ? weight : 0
}
