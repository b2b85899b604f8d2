import type { Db } from '#server/house/db/pool.ts'
import type { UsedRate } from '#server/house/rates/find-price.ts'

export type Quote = {
  address: string
  asset: string
  units: bigint
  rub_micros: bigint
  usd_rub_micros: bigint | null
  rate_source: string
  rate_at: Date
}

export async function findQuote(db: Db, transactionId: string): Promise<Quote | null> {
  const { rows } = await db.query<Omit<Quote, 'units'> & { units: string }>({
    name: 'chain-quote-find',
    text: `SELECT address, asset, units::text AS units, rub_micros, usd_rub_micros, rate_source, rate_at
      FROM chain_quotes WHERE transaction_id = $1`,
    values: [transactionId],
  })
  const [row] = rows
  return row === undefined ? null : { ...row, units: BigInt(row.units) }
}

/** Stores the quote of a payment. The first of two concurrent inserts wins. */
export async function insertQuote(
  db: Db,
  quote: UsedRate & { transactionId: string; gatewayId: number; address: string; asset: string; units: bigint },
): Promise<void> {
  await db.query({
    name: 'chain-quote-insert',
    text: `INSERT INTO chain_quotes (transaction_id, gateway_id, address, asset, units, rub_micros, usd_rub_micros, rate_source, rate_at)
      VALUES ($transactionId, $gatewayId, $address, $asset, $units, $rubMicros, $usdRubMicros, $rateSource, $rateAt)
      ON CONFLICT (transaction_id) DO NOTHING`,
    values: { ...quote, units: quote.units.toString() },
  })
}

export type QuoteInUse = Quote & { amount_micros: bigint; created_at: Date; expires_at: Date; used_units: bigint }

/**
 * Locks and returns a payment's quote, with the quoted units that deposits have used up. Returns null if the payment
 * has no quote for this asset.
 */
export async function lockQuote(tx: Db, input: { transactionId: string; asset: string }): Promise<QuoteInUse | null> {
  const { rows } = await tx.query<Omit<QuoteInUse, 'units' | 'used_units'> & { units: string; used_units: string }>({
    name: 'chain-quote-lock',
    text: `SELECT q.address, q.asset, q.units::text AS units, q.rub_micros, q.usd_rub_micros, q.rate_source, q.rate_at, p.amount_micros,
        p.created_at, p.expires_at, (SELECT COALESCE(sum(quoted_units), 0) FROM chain_deposits d
          WHERE d.transaction_id = q.transaction_id AND d.state = 'valued' AND d.lost_at IS NULL)::text AS used_units
      FROM chain_quotes q JOIN payments p USING (transaction_id)
      WHERE q.transaction_id = $transactionId AND q.asset = $asset FOR UPDATE OF q`,
    values: input,
  })
  const [row] = rows
  return row === undefined ? null : { ...row, units: BigInt(row.units), used_units: BigInt(row.used_units) }
}
