import type { DirectoryReply, OperatorsReply } from '#contract/content.ts'
import { rankBy } from '#contract/formats/search-names.ts'
import { countryNames, serviceNames } from '#server/core/catalog/lists/searched-names.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Context } from '#server/house/context.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { countryItem, serviceItem, shownCountries, soldServices } from './items.ts'
import type { Kind } from './slugs.ts'

export function listDirectory(
  ctx: Context,
  caller: Caller,
  filter: {
    kind: Kind
    search?: string | undefined
    letter?: string | undefined
    page: number
    per_page: number
  },
): DirectoryReply {
  const { locale } = caller
  const nameOf = (row: Named) => (locale === 'ru' ? row.name_ru : row.name_en)
  const search = filter.search ?? ''
  const fits = (row: Named) => filter.letter === undefined || letterOf(nameOf(row)) === filter.letter.toLowerCase()
  const all: Named[] = filter.kind === 'services' ? soldServices(ctx) : shownCountries(ctx)
  const services =
    filter.kind === 'services' ? rankBy(soldServices(ctx), search, (row) => serviceNames(row, locale)).filter(fits) : []
  const countries =
    filter.kind === 'countries'
      ? rankBy(shownCountries(ctx), search, (row) => countryNames(row, locale)).filter(fits)
      : []
  const total = services.length + countries.length
  const from = (filter.page - 1) * filter.per_page
  const to = from + filter.per_page
  return {
    status: true,
    data: [
      ...services.slice(from, to).map((row) => serviceItem(ctx, caller, row)),
      ...countries.slice(from, to).map((row) => countryItem(ctx, caller, row)),
    ],
    meta: { last_page: Math.max(1, Math.ceil(total / filter.per_page)), total },
    letters: inAlphabets([...new Set(all.map((row) => letterOf(nameOf(row))))], locale),
  }
}

type Named = { name_en: string; name_ru: string }

/** Returns a name's heading: its first letter if Latin (without accents) or Cyrillic, otherwise `#`. */
function letterOf(name: string): string {
  const [first = ''] = name.toLowerCase()
  if (/\p{Script=Latin}/u.test(first)) return first.normalize('NFD').charAt(0)
  return /\p{Script=Cyrillic}/u.test(first) ? first : '#'
}

/** Sorts headings: `#` first, then Latin letters, with which most names begin, then Cyrillic letters. */
function inAlphabets(letters: string[], locale: string): string[] {
  const { compare } = new Intl.Collator(locale)
  const place = (letter: string) => (letter === '#' ? 0 : /\p{Script=Latin}/u.test(letter) ? 1 : 2)
  return letters.sort((a, b) => place(a) - place(b) || compare(a, b))
}

export function listOperators(ctx: Context, caller: Caller, filter: { search?: string | undefined }): OperatorsReply {
  const selling = shownCountries(ctx)
    .map((row) => {
      const operators = operatorsOf(ctx, row.id)
      const { also, ...names } = countryNames(row, caller.locale)
      return { row, operators, names: { ...names, also: [...also, ...operators] } }
    })
    .filter(({ operators }) => operators.length > 0)
  return {
    status: true,
    data: rankBy(selling, filter.search ?? '', ({ names }) => names).map(({ row, operators }) => {
      const { slug, name } = countryItem(ctx, caller, row)
      return { country: { id: row.id, slug, name, iso2: row.iso2 }, operators }
    }),
  }
}

export function operatorsOf(ctx: Context, countryId: number): string[] {
  const found = new Set<string>()
  for (const pair of catalogOf(ctx).pairsOfCountry(countryId).values())
    for (const offer of pair.offers) found.add(offer.operator)
  return [...found].sort()
}
