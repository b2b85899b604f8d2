import type { Locale } from '#contract/constants.ts'
import type { CsvFor } from '#contract/past/history.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { measurePair } from '#server/core/catalog/offers/measured.ts'
import type { Context } from '#server/house/context.ts'
import { type Cell, csvHead, csvLine, personReading } from '#server/house/csv/csv.ts'
import type { Caller } from '#server/house/http/caller.ts'
import type { Prepared } from '#server/house/http/ready/pack-reply.ts'
import { findPrices, type PricesWanted } from './find-prices.ts'
import { currencyOf } from './items.ts'

/** The maximum number of rows of a file. The last line of a truncated file says that rows are missing. */
const MAX_ROWS = 10_000

const TITLES: Record<Locale, readonly string[]> = {
  en: ['Service ID', 'Service', 'Country ID', 'Country', 'Price', 'Currency', 'In stock', 'Codes, %', 'Median, s'],
  ru: ['ID сервиса', 'Сервис', 'ID страны', 'Страна', 'Цена', 'Валюта', 'В наличии', 'Доля кодов, %', 'Медиана, с'],
}
const CUT: Record<Locale, string> = {
  en: `These are the first ${MAX_ROWS} rows. For the rest, choose a service or a country.`,
  ru: `Это первые ${MAX_ROWS} строк. Чтобы получить остальные, выберите сервис или страну.`,
}

type Filter = Pick<PricesWanted, 'service_id' | 'country_id' | 'sort' | 'min_share'> & { for?: CsvFor | undefined }

export async function preparePriceFile(ctx: Context, caller: Caller, filter: Filter): Promise<Prepared<string>> {
  const catalog = catalogOf(ctx)
  const isOfAll = filter.service_id === undefined && filter.country_id === undefined
  // Files of one service or country are made quickly, and so many different ones would fill the cache.
  const terms = [catalog.version, caller.locale, currencyOf(caller), filter.for]
  return { cacheKey: isOfAll ? terms.join(' ') : null, make: () => toFile(ctx, caller, filter) }
}

function toFile(ctx: Context, caller: Caller, { for: audience, ...wanted }: Filter): string {
  const { locale } = caller
  const currency = currencyOf(caller)
  const reader = audience === 'people' ? personReading(locale, 'UTC') : undefined
  const found = findPrices(ctx, caller, wanted)
  const nameOf = (row: { name_ru: string; name_en: string }) => (locale === 'ru' ? row.name_ru : row.name_en)
  const lines = found.slice(0, MAX_ROWS).map(({ service, country, pair }) => {
    const { price, count, success_share: share, median_seconds: seconds } = measurePair(pair, currency)
    const cells: Cell[] = [
      { text: service.code },
      { text: nameOf(service) },
      { figure: country.id },
      { text: nameOf(country) },
      { figure: price },
      { text: currency.toUpperCase() },
      { figure: count },
      { figure: share === null ? null : Math.round(share * 1000) / 10 },
      { figure: seconds },
    ]
    return csvLine(cells, reader)
  })
  const cut = found.length > MAX_ROWS ? [csvLine([{ text: CUT[locale] }], reader)] : []
  return [csvHead(TITLES[locale], reader), ...lines, ...cut].join('')
}
