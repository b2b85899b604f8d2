import { type InterfaceLocale, isDraft } from '#contract/settings/languages.ts'
import type { Config } from './config.ts'
import type { Zone } from './zones.ts'

export function originOf(config: Pick<Config, 'publicUrl'>, zone: Zone): string {
  const { protocol, port, hostname } = config.publicUrl
  const host = zone.hosts.includes(hostname) ? hostname : (zone.hosts[0] ?? hostname)
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`
}

/**
 * Lists languages with the origin of the first zone that has the language as its main one. The list is empty if all
 * zones have the same main language, because paths of pages do not name a language. Drafts are not advertised.
 */
export function alternatesOf(
  config: Pick<Config, 'publicUrl' | 'zones'>,
): { locale: InterfaceLocale; origin: string }[] {
  const byLocale = new Map<InterfaceLocale, string>()
  for (const zone of config.zones) {
    const locale = zone.locales[0]
    if (locale !== undefined && !isDraft(locale) && !byLocale.has(locale)) byLocale.set(locale, originOf(config, zone))
  }
  if (byLocale.size < 2) return []
  return [...byLocale].map(([locale, origin]) => ({ locale, origin }))
}
