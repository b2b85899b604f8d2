import type { Locale } from '#contract/constants.ts'
import type { Config, Zone } from './config.ts'

/** Where the pages of a zone stand: on the public address if that is the zone's, else on its first host. */
export function originOf(config: Pick<Config, 'publicUrl'>, zone: Zone): string {
  const { protocol, port, hostname } = config.publicUrl
  const host = zone.hosts.includes(hostname) ? hostname : (zone.hosts[0] ?? hostname)
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`
}

/**
 * The hosts on which a page stands in another language: each language once, by the first zone that begins with it. Empty
 * when all zones begin with the same one: paths carry no language, so within a host there is nothing to tell apart.
 */
export function alternatesOf(config: Pick<Config, 'publicUrl' | 'zones'>): { locale: Locale; origin: string }[] {
  const byLocale = new Map<Locale, string>()
  for (const zone of config.zones) {
    const locale = zone.locales[0]
    if (locale !== undefined && !byLocale.has(locale)) byLocale.set(locale, originOf(config, zone))
  }
  if (byLocale.size < 2) return []
  return [...byLocale].map(([locale, origin]) => ({ locale, origin }))
}
