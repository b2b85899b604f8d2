import { expect } from 'vitest'
import { SECOND } from '#contract/time.ts'
import { recordOutcomes } from '#server/core/catalog/offers/outcome-queries.ts'
import type { Context } from '#server/house/context.ts'
import { isReal } from '#server/house/db/sandbox-sql.ts'
import type { FakeSupplier } from '#test/fakes/fake-supplier.ts'
import type { TestApp, TestUser } from '#test/harness/harness.ts'
import { buyOne, pushSms } from './activation-rows.ts'

export async function buyCoded(t: TestApp, user: TestUser, supplier: FakeSupplier, seconds: number): Promise<void> {
  const bought = await buyOne(t, user)
  t.clock.advance(seconds * SECOND)
  await pushSms(t, supplier, { phone: bought.phone, messageId: `${bought.id}` })
}

const ORDERS = `
  SELECT a.user_id, date_trunc('hour', a.outcome_at, 'UTC') AS hour, 'activation' AS mode, a.service_code, a.country_id,
    1 AS purchases, (a.first_code_at IS NOT NULL)::integer AS codes,
    CASE WHEN a.money = 'captured' AND r.id IS NULL THEN a.price_micros ELSE 0 END AS spent, (a.first_code_at IS NOT NULL)::integer AS timed
  FROM activations a LEFT JOIN transfers r ON r.activation_id = a.id AND r.kind = 'refund'
  WHERE a.money <> 'held' AND a.operator IS NOT NULL
  UNION ALL
  SELECT c.user_id, date_trunc('hour', c.settled_at, 'UTC'), 'rent', rentals.service_code, rentals.country_id,
    (c.purpose = 'rental')::integer, 0, CASE WHEN r.id IS NULL THEN c.price_micros ELSE 0 END, 0
  FROM charges c JOIN rentals ON rentals.id = c.rental_id LEFT JOIN transfers r ON r.charge_id = c.id AND r.kind = 'refund'
  WHERE c.money = 'captured'`

const OF_EACH = {
  counted: `SELECT user_id, hour, mode, service_code, country_id, purchases, codes, spent_micros AS spent,
    (SELECT sum(one) FROM unnest(seconds_counts) AS given (one)) AS timed FROM user_hours`,
  orders: `SELECT user_id, hour, mode, service_code, country_id, sum(purchases), sum(codes), sum(spent), sum(timed) FROM (${ORDERS}) o
    GROUP BY user_id, hour, mode, service_code, country_id`,
}

const OF_ALL = {
  counted: `SELECT hour, supplier_id, service_code, country_id, operator, purchases, purchases + uncounted AS every, codes FROM outcome_hours`,
  orders: `SELECT date_trunc('hour', outcome_at, 'UTC'), supplier_id, service_code, country_id, operator,
      count(*) FILTER (WHERE first_code_at IS NOT NULL OR misses <= 4 + 9 * paid), count(*), count(first_code_at)
    FROM (
      SELECT a.*, count(*) FILTER (WHERE first_code_at IS NULL) OVER in_turn AS misses, count(first_code_at) OVER in_turn AS paid
      FROM activations a JOIN transfers t ON t.activation_id = a.id AND t.kind IN ('capture', 'release')
      WHERE money <> 'held' AND operator IS NOT NULL AND ${isReal()}
      WINDOW in_turn AS (PARTITION BY a.user_id, service_code, country_id, date_trunc('week', outcome_at, 'UTC') ORDER BY t.id)
    ) of_buyers GROUP BY 1, 2, 3, 4, 5`,
}

/** Expects that statistics count each ended order once, and that refunded orders add nothing to the sums spent. */
export async function expectStatisticsRight(ctx: Context): Promise<void> {
  await recordOutcomes(ctx.db, ctx.clock.now())
  for (const { counted, orders } of [OF_EACH, OF_ALL]) {
    const { rows } = await ctx.db.query({
      text: `WITH counted AS (${counted}), orders AS (${orders})
        (SELECT 'counted' AS by, * FROM (TABLE counted EXCEPT TABLE orders) a)
        UNION ALL (SELECT 'orders', * FROM (TABLE orders EXCEPT TABLE counted) b)`,
    })
    expect(rows).toEqual([])
  }
}
