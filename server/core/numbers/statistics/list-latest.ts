import type { Currency } from '#contract/money.ts'
import type { LatestPurchases } from '#contract/rental.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { type Measured, measureOffers } from '#server/core/catalog/offers/measured.ts'
import { measureRentOffers } from '#server/core/catalog/offers/measured-rent.ts'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import type { Context } from '#server/house/context.ts'
import type { Caller, MemberCaller } from '#server/house/http/caller.ts'
import { readBehind } from '#server/house/replica/read-behind.ts'
import { type LatestRow, listLatestActivationRows, listLatestRentalRows } from './latest-queries.ts'

export async function listLatestActivations(ctx: Context, caller: MemberCaller): Promise<LatestPurchases> {
  const { userId, currency } = caller.member
  const rows = await readBehind(ctx, caller, (db) => listLatestActivationRows(db, userId))
  return toReply(ctx, caller, rows, (row) => measureActivation(ctx, row, currency))
}

export async function listLatestRentals(ctx: Context, caller: MemberCaller): Promise<LatestPurchases> {
  const { userId, currency } = caller.member
  const rows = await readBehind(ctx, caller, (db) => listLatestRentalRows(db, userId))
  return toReply(ctx, caller, rows, (row) => measureRental(ctx, row, currency))
}

function measureActivation(ctx: Context, row: LatestRow, currency: Currency): Measured {
  const catalog = catalogOf(ctx)
  const offers = catalog.pair(row.service_code, row.country_id)?.offers ?? []
  return measureOffers(
    offers.filter((offer) => isWanted(row, offer)),
    currency,
  )
}

function measureRental(ctx: Context, row: LatestRow, currency: Currency): Measured {
  const rentCatalog = rentCatalogOf(ctx)
  const offers = rentCatalog.pair(row.service_code, row.country_id)?.offers ?? []
  return measureRentOffers(
    offers.filter((offer) => offer.hours === row.hours && isWanted(row, offer)),
    currency,
  )
}

function isWanted(row: LatestRow, offer: { operator: string }): boolean {
  return row.operator_wanted === null || offer.operator === row.operator_wanted
}

function toReply(
  ctx: Context,
  { locale }: Caller,
  rows: LatestRow[],
  measure: (row: LatestRow) => Measured,
): LatestPurchases {
  const catalog = catalogOf(ctx)
  const named = (row: { name_ru: string; name_en: string }) => (locale === 'ru' ? row.name_ru : row.name_en)
  const data: LatestPurchases['data'] = []
  for (const row of rows) {
    const service = catalog.services.get(row.service_code)
    const country = catalog.countries.get(row.country_id)
    if (service === undefined || country === undefined) continue
    const { price, count, success_share } = measure(row)
    data.push({
      service: { id: service.code, name: named(service) },
      country: { id: country.id, name: named(country), iso2: country.iso2, dial: country.dial },
      operator: row.operator_wanted,
      period: row.hours,
      price,
      count,
      success_share,
      bought_at: row.bought_at.toISOString(),
    })
  }
  return { status: true, data }
}
