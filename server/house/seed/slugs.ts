/** Slugs as in other marketplaces (`vkontakte`, `hongkong`): the lower-case letters and digits of English names. */
import { boundedCache } from '#server/house/bounded-cache.ts'
import { readSeedCountries, readSeedServices } from './seed-tables.ts'

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

/** Maps slugs to codes of services. The result must not change, because orders name the bought service by slug. */
export function readServiceSlugs(): Map<string, string> {
  const named = readSeedServices().map(({ code, nameEn, rank }) => ({ id: code, name: nameEn, rank }))
  return bySlug(named, Object.entries(SERVICES))
}

export function readCountrySlugs(): Map<string, string> {
  const named = readSeedCountries().map(({ id, nameEn, rank }) => ({ id: String(id), name: nameEn, rank }))
  return bySlug(
    named,
    Object.entries(COUNTRIES).map(([slug, id]) => [slug, String(id)]),
  )
}

/** Gives each entry one slug. If two slugs are equal, the less popular entry appends its code: `signalgrsg`. */
function bySlug(
  named: readonly { id: string; name: string; rank: number }[],
  exceptions: [string, string][],
): Map<string, string> {
  const slugs = new Map(exceptions)
  const settled = new Set(slugs.values())
  for (const { id, name } of named.toSorted((one, other) => one.rank - other.rank)) {
    const slug = slugOf(name)
    if (slug === '' || slugs.has(slug) || settled.has(id)) continue
    slugs.set(slug, id)
    settled.add(id)
  }
  for (const { id, name } of named) if (!settled.has(id)) addFree(slugs, `${slugOf(name)}${plain(id)}`, id)
  return slugs
}

/** Adds entries that no seed table names, such as the operator's own services, with their ids as slugs. */
export function withOwn(slugs: ReadonlyMap<string, string>, ids: Iterable<string>): Map<string, string> {
  const all = new Map(slugs)
  const settled = new Set(slugs.values())
  for (const id of ids) if (!settled.has(id)) addFree(all, plain(id), id)
  return all
}

function addFree(slugs: Map<string, string>, slug: string, id: string): void {
  let free = slug === '' ? 'x' : slug
  while (slugs.has(free)) free += 'x'
  slugs.set(free, id)
}

const MOST_LETTERS = 40
export const ANY = 'any'

/** Slugs of operators are cached, because a price list names some hundreds of them hundreds of thousands of times. */
const operatorSlugs = boundedCache<string, string>(10_000)

/** Returns the slug of an operator's name, such as `tele2` or `Beeline KZ`. Two names may have the same slug. */
export function operatorSlug(name: string): string {
  const known = operatorSlugs.get(name)
  if (known !== undefined) return known
  const slug = makeOperatorSlug(name)
  operatorSlugs.set(name, slug)
  return slug
}

function makeOperatorSlug(name: string): string {
  const slug = latin(name)
    .replaceAll(/[^a-z0-9_-]/g, '')
    .replace(/^[_-]+/, '')
    .slice(0, MOST_LETTERS)
  return slug === '' || slug === ANY ? 'other' : slug
}

/**
 * Returns the slug of a name. "Google, YouTube, Gmail" is cut after its first part. Text in parentheses is left out
 * unless it tells two countries apart.
 */
function slugOf(name: string): string {
  const [first = ''] = name.replace(/ \([^)]*\.[^)]*\)| \([A-Z][A-Za-z]+\)/g, '').split(',')
  return plain(first)
}

function plain(text: string): string {
  return latin(text).replaceAll(/[^a-z0-9]/g, '')
}

function latin(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
