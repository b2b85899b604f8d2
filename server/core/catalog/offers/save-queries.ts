import type { Offer } from '#server/core/suppliers/supplier.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'
import { runYielding } from '#server/house/jobs/run-yielding.ts'
import { columnsOf } from './offer-columns.ts'
import type { Changes } from './offers-by-pair.ts'

/** SQL: locks the supplier's row. `supplier:remove` waits for this lock, so nothing is saved for a removed supplier. */
export const SUPPLIER_PRESENT = `SELECT FROM suppliers WHERE id = $supplierId AND removed_at IS NULL FOR KEY SHARE`

/**
 * Saves the new and removed offers of a supplier. All unchanged offers must be stored already. Unknown services and
 * countries are skipped.
 */
export async function saveChanges(
  db: Db,
  input: Pick<Changes<Offer>, 'put' | 'gone'> & { supplierId: number; now: Date },
): Promise<void> {
  const { supplierId, put, gone, now } = input
  if (put.length === 0 && gone.length === 0) return
  await db.query({
    text: `WITH present AS (${SUPPLIER_PRESENT}), given AS (
      SELECT g.* FROM unnest($serviceCodes::text[], $countryIds::integer[], $operators::text[], $costsMicros::bigint[],
        $currencies::text[], $stocks::integer[])
        AS g (service_code, country_id, operator, cost_micros, currency, stock)
      JOIN services s ON s.code = g.service_code JOIN countries c ON c.id = g.country_id
    ), gone AS (
      DELETE FROM offers o USING unnest($goneServices::text[], $goneCountries::integer[], $goneOperators::text[])
        AS g (service_code, country_id, operator)
      WHERE o.supplier_id = $supplierId
        AND (o.service_code, o.country_id, o.operator) = (g.service_code, g.country_id, g.operator)
        AND EXISTS (SELECT FROM present)
    )
    INSERT INTO offers (supplier_id, service_code, country_id, operator, cost_micros, currency, stock, refreshed_at)
    SELECT $supplierId, service_code, country_id, operator, cost_micros, currency, stock, $now FROM given
    WHERE EXISTS (SELECT FROM present)
    ON CONFLICT (supplier_id, service_code, country_id, operator) DO UPDATE
    SET cost_micros = excluded.cost_micros, currency = excluded.currency, stock = excluded.stock, refreshed_at = $now
    WHERE (offers.cost_micros, offers.currency, offers.stock) IS DISTINCT FROM (excluded.cost_micros, excluded.currency, excluded.stock)`,
    values: {
      supplierId,
      now,
      ...(await runYielding(columnsOf(put))),
      goneServices: gone.map(({ serviceCode }) => serviceCode),
      goneCountries: gone.map(({ countryId }) => countryId),
      goneOperators: gone.map(({ operator }) => operator),
    },
    limitMs: SLOW_LIMIT_MS,
  })
}

/** Returns true if the table has as many offers of the supplier as the list, with equal sums of costs and stock. */
export async function hasSums(
  db: Db,
  { supplierId, table, offers }: { supplierId: number; table: 'offers' | 'rent_offers'; offers: readonly Offer[] },
): Promise<boolean> {
  const { rows } = await db.query<{ count: bigint; cost: string; stock: bigint }>({
    text: `SELECT count(*) AS count, COALESCE(sum(cost_micros), 0)::text AS cost, COALESCE(sum(stock), 0) AS stock
      FROM ${table} WHERE supplier_id = $1`,
    values: [supplierId],
    limitMs: SLOW_LIMIT_MS,
  })
  let cost = 0n
  let stock = 0
  for (const offer of offers) {
    cost += offer.costMicros
    stock += offer.stock
  }
  const [stored] = rows
  return stored?.count === BigInt(offers.length) && stored.cost === String(cost) && stored.stock === BigInt(stock)
}
