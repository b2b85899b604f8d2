import { exactOf } from '#server/adapters/shared/coins/queries.ts'
import { toText } from '#server/adapters/shared/exact-decimal.ts'
import type { Db } from '#server/house/db/pool.ts'
import type { TimelyCoins } from './timely-coins.ts'

/** `lookedAt` is the time of the last answered query to Heleket. */
type KnownSight = TimelyCoins & { lookedAt: Date }
type SightRow = Omit<KnownSight, 'coins' | 'firm'> & { coins: string; firm: string }

export async function findSight(tx: Db, transactionId: string): Promise<KnownSight | null> {
  const { rows } = await tx.query<SightRow>({
    name: 'heleket-sight',
    text: `SELECT asset, coins::text AS coins, firm_coins::text AS firm, txid, seen_at AS "seenAt", looked_at AS "lookedAt"
      FROM coin_sights WHERE transaction_id = $1`,
    values: [transactionId],
  })
  const row = rows[0]
  return row === undefined ? null : { ...row, coins: exactOf(row.coins), firm: exactOf(row.firm) }
}

export async function storeSight(
  tx: Db,
  { coins, firm, ...input }: KnownSight & { transactionId: string; gatewayId: number },
): Promise<void> {
  await tx.query({
    name: 'heleket-sight-store',
    text: `INSERT INTO coin_sights (transaction_id, gateway_id, asset, coins, firm_coins, txid, seen_at, looked_at)
      VALUES ($transactionId, $gatewayId, $asset, $coins, $firm, $txid, $seenAt, $lookedAt)
      ON CONFLICT (transaction_id) DO UPDATE SET asset = EXCLUDED.asset, coins = EXCLUDED.coins, firm_coins = EXCLUDED.firm_coins,
        txid = EXCLUDED.txid, seen_at = EXCLUDED.seen_at, looked_at = EXCLUDED.looked_at`,
    values: { ...input, coins: toText(coins), firm: toText(firm) },
  })
}

export type StandingRefund = { is_part: boolean; at: Date }

/** Lists a payment's refunds that did not fail, including refunds that staff recorded and Heleket has not reported. */
export async function listStandingRefunds(db: Db, transactionId: string): Promise<StandingRefund[]> {
  const { rows } = await db.query<StandingRefund>({
    name: 'heleket-refunds',
    text: `SELECT r.is_part, r.at FROM reversals r JOIN payments p ON p.id = r.payment_id
      WHERE p.transaction_id = $1 AND r.kind = 'refund' AND r.state <> 'failed'`,
    values: [transactionId],
  })
  return rows
}
