import type { Locale } from '#contract/constants.ts'
import type { Searchable } from '#contract/formats/search-names.ts'
import type { CountryRow, ServiceRow } from '#server/core/catalog/offers/queries.ts'
import { readCountryNicknames, readServiceNicknames } from '#server/house/seed/nicknames.ts'

export type SearchedNames = Searchable & { also: readonly string[] }

type Named = { name_en: string; name_ru: string }

const nicknames = { services: readServiceNicknames(), countries: readCountryNicknames() }
const remembered = new WeakMap<Named, Partial<Record<Locale, SearchedNames>>>()

/** Returns a service's names, as one object for each row and language, because the search uses it as cache key. */
export function serviceNames(row: ServiceRow, locale: Locale): SearchedNames {
  return namesOf(row, locale, row.code, () => nicknames.services.get(row.code) ?? [])
}

export function countryNames(row: CountryRow, locale: Locale): SearchedNames {
  return namesOf(row, locale, row.id, () => [
    row.iso2.toLowerCase(),
    `+${row.dial}`,
    ...(nicknames.countries.get(row.id) ?? []),
  ])
}

function namesOf(row: Named, locale: Locale, id: string | number, more: () => readonly string[]): SearchedNames {
  const known = remembered.get(row)
  const found = known?.[locale]
  if (found !== undefined) return found
  const [name, other] = locale === 'ru' ? [row.name_ru, row.name_en] : [row.name_en, row.name_ru]
  const made = { id, name, also: [...(other === name ? [] : [other]), ...more()] }
  remembered.set(row, { ...known, [locale]: made })
  return made
}
