import { expect } from 'vitest'
import { MICROS_PER_UNIT } from '#contract/money.ts'
import { restoreStanding } from '#server/core/catalog/health/queries/standings.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import type { Pool } from '#server/house/db/pool.ts'
import { BUYER_UNITS, expectLedgerRight } from '../real-service.ts'
import type { Hop } from './hop.ts'

type Figures = { captured: bigint; paid: bigint; open: bigint; jobs: bigint }

async function figuresOf(pool: Pool): Promise<Figures> {
  const { rows } = await pool.query<Figures>({
    text: `SELECT (SELECT count(*) FROM activations WHERE money = 'captured') AS captured,
      (SELECT COALESCE(sum(price_micros), 0)::bigint FROM activations WHERE money = 'captured') AS paid,
      (SELECT count(*) FROM activations WHERE money = 'held' OR ended_at IS NULL)
        + (SELECT count(*) FROM activations WHERE state IN ('waiting', 'received', 'waiting_again', 'reserving')) AS open,
      (SELECT count(*) FROM graphile_worker._private_jobs) AS jobs`,
  })
  return rows[0] ?? expect.fail('no figures')
}

/** Makes all queued jobs due now, so that the test need not wait for their retry delays. */
export async function hurryJobs(hops: readonly Hop[]): Promise<void> {
  for (const { pool } of hops) {
    await pool.query({
      text: 'UPDATE graphile_worker._private_jobs SET run_at = now() WHERE run_at > now() AND locked_at IS NULL',
    })
  }
}

/** Puts paused suppliers back on sale, as staff would, because the service itself waits for the pause to end. */
export async function restoreAside(hops: readonly Hop[]): Promise<void> {
  const now = new Date()
  for (const { pool } of hops) {
    const { rows } = await pool.query<{ id: number }>({ text: 'SELECT id FROM suppliers' })
    for (const { id: supplierId } of rows) {
      if (await restoreStanding(pool, { supplierId, now })) await raiseCatalogVersion(pool, now)
    }
  }
}

export async function isSettled(hops: readonly Hop[]): Promise<boolean> {
  await hurryJobs(hops)
  const figures = await Promise.all(hops.map(({ pool }) => figuresOf(pool)))
  return figures.every(({ open, jobs }) => open === 0n && jobs === 0n)
}

/**
 * Expects that each charge matches a purchase of the next service in the chain, and that buyers paid only for codes.
 */
export async function expectChainRight(hops: readonly [Hop, ...Hop[]], codes: number): Promise<void> {
  for (const [place, hop] of hops.entries()) {
    await expectLedgerRight(hop.pool)
    const { captured, paid } = await figuresOf(hop.pool)
    expect([hop.name, Number(captured)]).toEqual([hop.name, codes])
    const account = await hop.pool.query<{ available: bigint; held: bigint }>({
      text: 'SELECT available_micros AS available, held_micros AS held FROM accounts WHERE user_id = $1',
      values: [hop.buyer.id],
    })
    expect(account.rows).toEqual([{ available: BUYER_UNITS * MICROS_PER_UNIT - paid, held: 0n }])
    const next = hops[place + 1]
    if (next !== undefined) await expectEachBoughtOnce(hop.pool, next.pool)
  }
}

/** Expects that the buying service finished exactly the orders that the selling service charged. */
async function expectEachBoughtOnce(buying: Pool, selling: Pool): Promise<void> {
  const bought = await buying.query<{ id: string }>({
    text: `SELECT o.activation_id AS id FROM resold_orders o JOIN activations a
        ON a.id || '-' || a.attempt = o.reference AND a.supplier_reference = o.activation_id
      WHERE a.money = 'captured' AND o.state = 'ended' AND o.ending = 'finished' AND NOT o.is_loss ORDER BY 1`,
  })
  const sold = await selling.query<{ id: string }>({
    text: `SELECT id::text FROM activations WHERE money = 'captured' ORDER BY 1`,
  })
  expect(bought.rows).toEqual(sold.rows)
}
