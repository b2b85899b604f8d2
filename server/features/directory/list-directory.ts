import type { DirectoryReply, OperatorsReply } from '#contract/content.ts'
import type { Context } from '#server/context.ts'
import type { Caller } from '#server/http/caller.ts'
import { countryItem, serviceItem, shownCountries, soldServices } from './items.ts'
import type { Kind } from './slugs.ts'

/** All services or countries in their order of popularity, or those whose name or code has `search` in it. */
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
  const search = filter.search?.trim().toLowerCase() ?? ''
  const fits = (row: Named, codes: string) =>
    (search === '' || `${row.name_en}\n${row.name_ru}\n${codes}`.toLowerCase().includes(search)) &&
    (filter.letter === undefined || letterOf(nameOf(row)) === filter.letter.toLowerCase())
  const all: Named[] = filter.kind === 'services' ? soldServices(ctx) : shownCountries(ctx)
  const services = filter.kind === 'services' ? soldServices(ctx).filter((row) => fits(row, row.code)) : []
  const countries =
    filter.kind === 'countries' ? shownCountries(ctx).filter((row) => fits(row, `${row.id}\n${row.iso2}`)) : []
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
    letters: [...new Set(all.map((row) => letterOf(nameOf(row))))].sort(new Intl.Collator(locale).compare),
  }
}

type Named = { name_en: string; name_ru: string }

/** The small letter a name begins with, a Latin one without its marks; `#` for digits, signs and letters of other scripts. */
function letterOf(name: string): string {
  const [first = ''] = name.toLowerCase()
  if (/\p{Script=Latin}/u.test(first)) return first.normalize('NFD').charAt(0)
  return /\p{Script=Cyrillic}/u.test(first) ? first : '#'
}

/** The operators that sell now, by country: the words by which a purchase may ask for them. */
export function listOperators(ctx: Context, caller: Caller): OperatorsReply {
  return {
    status: true,
    data: shownCountries(ctx)
      .map((row) => ({ row, operators: operatorsOf(ctx, row.id) }))
      .filter(({ operators }) => operators.length > 0)
      .map(({ row, operators }) => {
        const { slug, name } = countryItem(ctx, caller, row)
        return { country: { id: row.id, slug, name, iso2: row.iso2 }, operators }
      }),
  }
}

/** The mobile operators of a country that sell anything now, by name. */
export function operatorsOf(ctx: Context, countryId: number): string[] {
  const found = new Set<string>()
  for (const pair of ctx.catalog.pairsOfCountry(countryId).values())
    for (const offer of pair.offers) found.add(offer.operator)
  return [...found].sort()
}
