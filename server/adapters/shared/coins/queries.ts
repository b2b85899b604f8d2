import { type Exact, parseExact, toText } from '#server/adapters/shared/exact-decimal.ts'
import type { Db } from '#server/house/db/pool.ts'
import type { UsedRate } from '#server/house/rates/find-price.ts'

export type CoinDeposit = {
  id: bigint
  provider_id: string
  invoice: string
  coins: Exact
  quoted_coins: Exact
  quoted_micros: bigint
  /** The coin's name in `rate:list`, or null if the vendor did not name it. */
  asset: string | null
  /** The value of the coins that do not get the invoice's rate. Null while they wait for a rate. */
  rest_micros: bigint | null
  seen_at: Date
  /** The time at which we stopped waiting for the coin's name. */
  given_up_at: Date | null
  dropped_at: Date | null
}

const COLUMNS = `id, provider_id, invoice, coins::text AS coins, quoted_coins::text AS quoted_coins, quoted_micros, asset, rest_micros, seen_at, given_up_at, dropped_at`
type Row = Omit<CoinDeposit, 'coins' | 'quoted_coins'> & { coins: string; quoted_coins: string }

function toCoins({ coins, quoted_coins: quoted, ...row }: Row): CoinDeposit {
  return { ...row, coins: exactOf(coins), quoted_coins: exactOf(quoted) }
}

/** Reads an amount of coins from the database. Throws if the text is no decimal. */
export function exactOf(text: string): Exact {
  const exact = parseExact(text)
  if (exact === null) throw new Error('an amount of coins is no decimal')
  return exact
}

/** Locks the payment, so that only one process values its coins at a time. */
export async function lockForCoins(tx: Db, transactionId: string): Promise<void> {
  await tx.query({
    name: 'coins-lock',
    text: 'SELECT FROM payments WHERE transaction_id = $1 FOR NO KEY UPDATE',
    values: [transactionId],
  })
}

export async function listCoinDeposits(
  tx: Db,
  input: { gatewayId: number; transactionId: string },
): Promise<CoinDeposit[]> {
  const { rows } = await tx.query<Row>({
    name: 'coin-deposits',
    text: `SELECT ${COLUMNS} FROM coin_deposits WHERE gateway_id = $gatewayId AND transaction_id = $transactionId ORDER BY id`,
    values: input,
  })
  return rows.map(toCoins)
}

/** Stores received coins. If `restMicros` is given, their value is already decided. */
export async function insertCoinDeposit(
  tx: Db,
  {
    coins,
    quotedCoins,
    ...input
  }: {
    gatewayId: number
    transactionId: string
    invoice: string
    providerId: string
    coins: Exact
    quotedCoins: Exact
    quotedMicros: bigint
    asset: string | null
    restMicros: bigint | null
    now: Date
  },
): Promise<CoinDeposit> {
  const { rows } = await tx.query<Row>({
    name: 'coin-deposit-insert',
    text: `INSERT INTO coin_deposits (gateway_id, transaction_id, invoice, provider_id, coins, quoted_coins, quoted_micros, asset, rest_micros,
        seen_at, valued_at)
      VALUES ($gatewayId, $transactionId, $invoice, $providerId, $coins, $quotedCoins, $quotedMicros, $asset, $restMicros,
        $now, CASE WHEN $restMicros::bigint IS NULL THEN NULL ELSE $now::timestamptz END)
      RETURNING ${COLUMNS}`,
    values: { ...input, coins: toText(coins), quotedCoins: toText(quotedCoins) },
  })
  const row = rows[0]
  if (row === undefined) throw new Error('coins were not inserted')
  return toCoins(row)
}

/** Stores for good the value of coins without the invoice's rate, so later rates do not change it. */
export async function storeRest(
  tx: Db,
  input: UsedRate & { id: bigint; asset: string; restMicros: bigint; now: Date },
): Promise<void> {
  await tx.query({
    name: 'coin-deposit-rest',
    text: `UPDATE coin_deposits SET asset = $asset, rest_micros = $restMicros, rub_micros = $rubMicros, usd_rub_micros = $usdRubMicros,
        rate_source = $rateSource, rate_at = $rateAt, valued_at = $now
      WHERE id = $id AND rest_micros IS NULL`,
    values: input,
  })
}

export async function dropRest(tx: Db, { deposit, now }: { deposit: CoinDeposit; now: Date }): Promise<CoinDeposit> {
  await tx.query({
    name: 'coin-deposit-dropped',
    text: 'UPDATE coin_deposits SET rest_micros = 0, valued_at = $now, dropped_at = $now WHERE id = $id AND rest_micros IS NULL',
    values: { id: deposit.id, now },
  })
  return { ...deposit, rest_micros: 0n, dropped_at: now }
}

export async function reviveRest(tx: Db, deposit: CoinDeposit): Promise<CoinDeposit> {
  await tx.query({
    name: 'coin-deposit-revived',
    text: `UPDATE coin_deposits SET rest_micros = NULL, valued_at = NULL, dropped_at = NULL WHERE id = $1 AND dropped_at IS NOT NULL`,
    values: [deposit.id],
  })
  return { ...deposit, rest_micros: null, dropped_at: null }
}

export async function storeGone(
  tx: Db,
  input: { gatewayId: number; transactionId: string; there: readonly string[]; now: Date },
): Promise<void> {
  await tx.query({
    name: 'coin-deposits-gone',
    text: `UPDATE coin_deposits SET gone_at = CASE WHEN gone_at IS NULL THEN $now::timestamptz END
      WHERE gateway_id = $gatewayId AND transaction_id = $transactionId AND (gone_at IS NULL) <> (provider_id = ANY ($there))`,
    values: input,
  })
}

export async function findWaiting(db: Db, gatewayId: number): Promise<{ rate: boolean; name: boolean }> {
  const waiting = 'SELECT FROM coin_deposits WHERE gateway_id = $1 AND rest_micros IS NULL AND gone_at IS NULL'
  const { rows } = await db.query<{ rate: boolean; name: boolean }>({
    name: 'coins-waiting',
    text: `SELECT EXISTS (${waiting} AND asset IS NOT NULL) AS rate, EXISTS (${waiting} AND asset IS NULL) AS name`,
    values: [gatewayId],
  })
  return rows[0] ?? { rate: false, name: false }
}

/**
 * Gives up deposits seen before `seenBefore` for which the vendor has not named the coin. They are never credited
 * automatically. Returns the vendor's ids of these deposits.
 */
export async function giveUpUnnamed(
  db: Db,
  input: { gatewayId: number; transactionId: string; seenBefore: Date; now: Date },
): Promise<string[]> {
  const { rows } = await db.query<{ provider_id: string }>({
    name: 'coins-give-up',
    text: `UPDATE coin_deposits SET rest_micros = 0, valued_at = $now, given_up_at = $now
      WHERE gateway_id = $gatewayId AND transaction_id = $transactionId AND asset IS NULL AND rest_micros IS NULL AND seen_at < $seenBefore
      RETURNING provider_id`,
    values: input,
  })
  return rows.map(({ provider_id: id }) => id)
}

/** Lists webhooks about a payment, oldest first, received up to `until` and, if not null, after `since`. */
export async function listEventsUntil(
  db: Db,
  input: { transactionId: string; since: Date | null; until: Date },
): Promise<{ body: Buffer; received_at: Date }[]> {
  const { rows } = await db.query<{ body: Buffer; received_at: Date }>({
    name: 'coins-heard',
    text: `SELECT body, received_at FROM gateway_events WHERE payment_id = (SELECT id FROM payments WHERE transaction_id = $transactionId)
        AND received_at <= $until AND received_at > COALESCE($since, '-infinity'::timestamptz) ORDER BY id LIMIT 50`,
    values: input,
  })
  return rows
}

/** A credited deposit. `worth_micros` includes fractions of a cent, which are not credited. */
export type CreditedDeposit = { provider_id: string; amount_micros: bigint; worth_micros: bigint }

export async function listCredited(
  db: Db,
  input: { gatewayId: number; transactionId: string },
): Promise<CreditedDeposit[]> {
  const { rows } = await db.query<CreditedDeposit>({
    name: 'coins-credited',
    text: `SELECT d.provider_id, d.amount_micros, d.amount_micros + d.rest_micros AS worth_micros FROM deposits d JOIN payments p ON p.id = d.payment_id
      WHERE p.transaction_id = $transactionId AND d.gateway_id = $gatewayId ORDER BY d.id`,
    values: input,
  })
  return rows
}

/** A reversal in our books. `stands` means that the money is taken back, for now or for good. */
export type KnownReversal = { provider_id: string; stands: boolean }

/**
 * Lists a payment's refunds or disputes in our books, oldest first. Call this before asking the vendor, so that none of
 * them is newer than a slow reply.
 */
export async function listKnownReversals(
  db: Db,
  input: { gatewayId: number; transactionId: string; kind: 'refund' | 'dispute' },
): Promise<KnownReversal[]> {
  const { rows } = await db.query<KnownReversal>({
    name: 'coins-reversals',
    text: `SELECT r.provider_id, r.state NOT IN ('failed', 'won') AS stands FROM reversals r JOIN payments p ON p.id = r.payment_id
      WHERE p.transaction_id = $transactionId AND r.gateway_id = $gatewayId AND r.kind = $kind AND r.provider_id IS NOT NULL
      ORDER BY r.id`,
    values: input,
  })
  return rows
}
