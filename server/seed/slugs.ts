/** Names in the field's slugs (`vkontakte`, `hongkong`): lower-case Latin letters and digits of our English names. */
import { readSeedCountries, readSeedServices } from './seed-tables.ts'

/** Where the field says another name. */
const SERVICES: Readonly<Record<string, string>> = { other: 'ot', twitter: 'tw' }
const COUNTRIES: Readonly<Record<string, number>> = {
  england: 16,
  czech: 63,
  macau: 20,
  easttimor: 91,
  salvador: 101,
  tit: 104,
  swaziland: 106,
  bih: 108,
  dominicana: 109,
  bhutane: 158,
  saintvincentandgrenadines: 166,
}

/** Codes of services by slug. It must not change: orders name what they bought by it. */
export function readServiceSlugs(): Map<string, string> {
  const named = readSeedServices().map(({ code, nameEn, rank }) => ({ id: code, name: nameEn, rank }))
  return bySlug(named, Object.entries(SERVICES))
}

/** Ids of countries, as text. */
export function readCountrySlugs(): Map<string, string> {
  const named = readSeedCountries().map(({ id, nameEn, rank }) => ({ id: String(id), name: nameEn, rank }))
  return bySlug(
    named,
    Object.entries(COUNTRIES).map(([slug, id]) => [slug, String(id)]),
  )
}

/** One slug each. Of equal ones the more popular has it, and the other none. */
function bySlug(
  named: readonly { id: string; name: string; rank: number }[],
  exceptions: [string, string][],
): Map<string, string> {
  const slugs = new Map(exceptions)
  const settled = new Set(slugs.values())
  for (const { id, name } of named.toSorted((one, other) => one.rank - other.rank)) {
    const slug = slugOf(name)
    if (slug !== '' && !slugs.has(slug) && !settled.has(id)) slugs.set(slug, id)
  }
  return slugs
}

/** Of "Google, YouTube, Gmail" the first; what stands in parentheses is left out, unless it tells two countries apart. */
function slugOf(name: string): string {
  const [first = ''] = name.replace(/ \([^)]*\.[^)]*\)| \([A-Z][A-Za-z]+\)/g, '').split(',')
  return first
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
}
