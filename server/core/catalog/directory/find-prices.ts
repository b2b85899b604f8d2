import type { Locale } from '#contract/constants.ts'
import type { PriceListSort } from '#contract/content.ts'
import { wholePercent } from '#contract/formats/percent.ts'
import { rankBy } from '#contract/formats/search-names.ts'
import type { Currency } from '#contract/money.ts'
import { medianSeconds, successShare } from '#server/core/catalog/health/outcome-bounds.ts'
import { countryNames, serviceNames } from '#server/core/catalog/lists/searched-names.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Pair } from '#server/core/catalog/offers/price-offer.ts'
import type { CountryRow, ServiceRow } from '#server/core/catalog/offers/queries.ts'
import type { Context } from '#server/house/context.ts'
import { wordsOf } from '#server/house/errors/error-words.ts'
import { invalidInput } from '#server/house/errors/errors.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { currencyOf, shownCountries, soldServices } from './items.ts'

export type FoundPrice = { service: ServiceRow; country: CountryRow; pair: Pair }

export type PricesWanted = {
  service?: string | undefined
  country?: string | undefined
  service_id?: string | undefined
  country_id?: number | undefined
  sort?: PriceListSort | undefined
  min_share?: number | undefined
}

/**
 * Finds the pairs of service and country in stock. Without `sort`, better names come first, then more popular ones.
 * Throws INVALID_INPUT if all pairs should be sorted or measured, because that would hold everybody up.
 */
export function findPrices(ctx: Context, caller: Caller, wanted: PricesWanted): FoundPrice[] {
  const { locale } = caller
  const isOfAll = wanted.service_id === undefined && wanted.country_id === undefined
  if (isOfAll && (wanted.sort !== undefined || wanted.min_share !== undefined)) {
    throw invalidInput({ service_id: [wordsOf('field.required')] })
  }
  const countries = rankBy(
    shownCountries(ctx).filter(({ id }) => wanted.country_id === undefined || id === wanted.country_id),
    wanted.country ?? '',
    (row) => countryNames(row, locale),
  )
  const services = rankBy(
    soldServices(ctx).filter(({ code }) => wanted.service_id === undefined || code === wanted.service_id),
    wanted.service ?? '',
    (row) => serviceNames(row, locale),
  )
  const found: FoundPrice[] = []
  for (const service of services) {
    const pairs = catalogOf(ctx).pairsOfService(service.code)
    if (pairs.size === 0) continue
    for (const country of countries) {
      const pair = pairs.get(country.id)
      if (pair !== undefined && hasShare(pair, wanted.min_share)) found.push({ service, country, pair })
    }
  }
  const { sort = 'popular' } = wanted
  if (sort === 'popular') return found
  return sort === 'name' ? byName(found, locale) : byFigure(found, figureOf(sort, currencyOf(caller)))
}

function hasShare({ outcomes }: Pair, minPercent: number | undefined): boolean {
  if (minPercent === undefined || minPercent === 0) return true
  const share = successShare(outcomes)
  return share !== null && wholePercent(share) >= minPercent
}

function byName(found: readonly FoundPrice[], locale: Locale): FoundPrice[] {
  const { compare } = new Intl.Collator(locale)
  const nameOf = (row: { name_ru: string; name_en: string }) => (locale === 'ru' ? row.name_ru : row.name_en)
  return found.toSorted(
    (a, b) => compare(nameOf(a.service), nameOf(b.service)) || compare(nameOf(a.country), nameOf(b.country)),
  )
}

/** Sorts by a figure of which the least is best. Pairs without the figure come last. */
function byFigure(found: readonly FoundPrice[], figureOfPair: (pair: Pair) => number | null): FoundPrice[] {
  return found
    .map((one) => ({ one, figure: figureOfPair(one.pair) ?? Number.POSITIVE_INFINITY }))
    .sort((a, b) => (a.figure === b.figure ? 0 : a.figure - b.figure))
    .map(({ one }) => one)
}

function figureOf(sort: Exclude<PriceListSort, 'popular' | 'name'>, currency: Currency): (pair: Pair) => number | null {
  switch (sort) {
    case 'price':
      return ({ prices }) => Number(prices[currency])
    case 'share':
      return ({ outcomes }) => negated(successShare(outcomes))
    case 'time':
      return ({ outcomes }) => medianSeconds(outcomes)
    case 'stock':
      return ({ count }) => -count
    default:
      return sort satisfies never
  }
}

function negated(share: number | null): number | null {
  return share === null ? null : -share
}
