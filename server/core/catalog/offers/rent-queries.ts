import type { Currency } from '#contract/money.ts'
import type { RentOffer } from '#server/core/suppliers/supplier.ts'
import { internStrings } from '#server/house/db/intern-strings.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'
import { SUPPLIER_PRESENT } from './save-queries.ts'

type RentOfferRow = {
  service_code: string
  country_id: number
  operator: string
  hours: number
  cost_micros: bigint
  currency: Currency
  stock: number
}

export async function listRentOfferRows(db: Db, supplierId: number): Promise<RentOffer[]> {
  const { rows } = await db.query<RentOfferRow>({
    text: `SELECT service_code, country_id, operator, hours, cost_micros, currency, stock FROM rent_offers
      WHERE supplier_id = $1`,
    values: [supplierId],
  })
  const once = internStrings()
  return rows.map((row) => ({
    serviceCode: once(row.service_code),
    countryId: row.country_id,
    operator: once(row.operator),
    hours: row.hours,
    costMicros: row.cost_micros,
    currency: once(row.currency),
    stock: row.stock,
  }))
}

/** Replaces a supplier's rental offers. Unchanged rows are not written; unknown services and countries are skipped. */
export async function replaceRentOffers(
  db: Db,
  input: { supplierId: number; offers: RentOffer[]; now: Date },
): Promise<void> {
  const column = <T>(of: (offer: RentOffer) => T) => input.offers.map(of)
  await db.query({
    text: `WITH present AS (${SUPPLIER_PRESENT}), given AS (
      SELECT g.* FROM unnest($serviceCodes::text[], $countryIds::integer[], $operators::text[], $hours::integer[],
        $costsMicros::bigint[], $currencies::text[], $stocks::integer[])
        AS g (service_code, country_id, operator, hours, cost_micros, currency, stock)
      JOIN services s ON s.code = g.service_code JOIN countries c ON c.id = g.country_id
    ), gone AS (
      DELETE FROM rent_offers o WHERE supplier_id = $supplierId AND EXISTS (SELECT FROM present) AND NOT EXISTS (
        SELECT FROM given g WHERE (g.service_code, g.country_id, g.operator, g.hours)
          = (o.service_code, o.country_id, o.operator, o.hours))
    )
    INSERT INTO rent_offers
      (supplier_id, service_code, country_id, operator, hours, cost_micros, currency, stock, refreshed_at)
    SELECT $supplierId, service_code, country_id, operator, hours, cost_micros, currency, stock, $now FROM given
    WHERE EXISTS (SELECT FROM present)
    ON CONFLICT (supplier_id, service_code, country_id, operator, hours) DO UPDATE
    SET cost_micros = excluded.cost_micros, currency = excluded.currency, stock = excluded.stock, refreshed_at = $now
    WHERE (rent_offers.cost_micros, rent_offers.currency, rent_offers.stock)
      IS DISTINCT FROM (excluded.cost_micros, excluded.currency, excluded.stock)`,
    values: {
      ...input,
      serviceCodes: column((offer) => offer.serviceCode),
      countryIds: column((offer) => offer.countryId),
      operators: column((offer) => offer.operator),
      hours: column((offer) => offer.hours),
      costsMicros: column((offer) => offer.costMicros),
      currencies: column((offer) => offer.currency),
      stocks: column((offer) => offer.stock),
    },
    limitMs: SLOW_LIMIT_MS,
  })
}
