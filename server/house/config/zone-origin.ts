import type { Locale } from '#contract/constants.ts'
import type { Config } from './config.ts'
import type { Zone } from './zones.ts'

export function originOf(config: Pick<Config, 'publicUrl'>, zone: Zone): string {
  const { protocol, port, hostname } = config.publicUrl
  const host = zone.hosts.includes(hostname) ? hostname : (zone.hosts[0] ?? hostname)
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`
}

/**
 * Each language once, by the first zone that begins with it.
 * Empty when all zones begin with the same one, because paths carry no language.
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
