import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'
import type { UsedRate } from '#server/house/rates/find-price.ts'
import type { ChainBlock, Transfer } from '../chain.ts'

export type KnownDeposit = { id: bigint; gateway_id: number; life: number; lost_at: Date | null; was_given_up: boolean }

const identitiesOf = (transfers: readonly Transfer[]) => ({
  txHashes: transfers.map(({ txHash }) => txHash),
  assets: transfers.map(({ asset }) => asset),
  addresses: transfers.map(({ to }) => to),
  units: transfers.map(({ units }) => units.toString()),
  places: transfers.map(({ place }) => place),
})

/** Returns the newest deposit of each transfer, in the transfers' order, or null for a transfer never seen. */
export async function findChainDeposits(
  tx: Db,
  { chain, transfers }: { chain: string; transfers: readonly Transfer[] },
): Promise<(KnownDeposit | null)[]> {
  const { rows } = await tx.query<KnownDeposit & { turn: bigint }>({
    name: 'chain-deposits-find',
    text: `SELECT turn, known.*
      FROM unnest($txHashes::text[], $assets::text[], $addresses::text[], $units::numeric[], $places::integer[])
          WITH ORDINALITY AS one (tx_hash, asset, address, units, place, turn),
        LATERAL (SELECT id, gateway_id, life, lost_at,
            EXISTS (SELECT FROM chain_losses l WHERE l.deposit_id = d.id AND l.state = 'lost') AS was_given_up
          FROM chain_deposits d WHERE d.chain = $chain AND d.tx_hash = one.tx_hash AND d.asset = one.asset
            AND d.address = one.address AND d.units = one.units AND d.place = one.place ORDER BY life DESC LIMIT 1) known`,
    values: { chain, ...identitiesOf(transfers) },
  })
  const byTurn = new Map(rows.map(({ turn, ...known }) => [Number(turn), known]))
  return transfers.map((_, at) => byTurn.get(at + 1) ?? null)
}

export type NewDeposit = { transfer: Transfer; block: ChainBlock; life: number; userId: number; state: 'seen' | 'dust' }

export async function insertChainDeposits(
  tx: Db,
  { deposits, ...input }: { gatewayId: number; chain: string; now: Date; deposits: readonly NewDeposit[] },
): Promise<void> {
  await tx.query({
    name: 'chain-deposits-insert',
    text: `INSERT INTO chain_deposits (gateway_id, chain, tx_hash, asset, address, units, place, life, user_id, sender, block_number,
        block_hash, block_at, seen_at, state)
      SELECT $gatewayId, $chain, tx_hash, asset, address, units, place, life, user_id, sender, number, hash, at, $now, state
      FROM unnest($txHashes::text[], $assets::text[], $addresses::text[], $units::numeric[], $places::integer[], $lives::integer[],
        $userIds::integer[], $senders::text[], $numbers::bigint[], $hashes::text[], $times::timestamptz[], $states::text[])
        AS one (tx_hash, asset, address, units, place, life, user_id, sender, number, hash, at, state)
      ON CONFLICT ON CONSTRAINT chain_deposits_once DO NOTHING`,
    values: {
      ...input,
      ...identitiesOf(deposits.map(({ transfer }) => transfer)),
      lives: deposits.map(({ life }) => life),
      userIds: deposits.map(({ userId }) => userId),
      senders: deposits.map(({ transfer }) => transfer.from),
      numbers: deposits.map(({ block }) => block.number),
      hashes: deposits.map(({ block }) => block.hash),
      times: deposits.map(({ block }) => block.at),
      states: deposits.map(({ state }) => state),
    },
  })
}

/** Stores that a lost deposit is in a block again, and that its money is credited again. */
export async function findAgain(
  tx: Db,
  { id, block, now }: { id: bigint; block: ChainBlock; now: Date },
): Promise<void> {
  await tx.query({
    name: 'chain-deposit-again',
    text: `WITH won AS (UPDATE chain_losses SET state = 'won', ended_at = $now WHERE deposit_id = $id AND state = 'open')
      UPDATE chain_deposits SET block_number = $number, block_hash = $hash, block_at = $blockAt, lost_at = NULL,
        is_told = transaction_id IS NULL
      WHERE id = $id`,
    values: { id, now, number: block.number, hash: block.hash, blockAt: block.at },
  })
}

/** Marks deposits above a height as lost. Their credits are taken back until a block contains the deposits again. */
export async function loseAbove(tx: Db, input: { gatewayId: number; height: bigint; now: Date }): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'chain-deposits-lose',
    text: `WITH lost AS (
        UPDATE chain_deposits SET lost_at = $now, is_told = transaction_id IS NULL
        WHERE gateway_id = $gatewayId AND block_number > $height AND lost_at IS NULL RETURNING id, state
      ), taken AS (
        INSERT INTO chain_losses (deposit_id, state, at) SELECT id, 'open', $now FROM lost WHERE state = 'valued'
      )
      SELECT FROM lost`,
    values: input,
  })
  return rowCount
}

export async function giveUpLost(db: Db, input: { gatewayId: number; before: Date; now: Date }): Promise<void> {
  await db.query({
    name: 'chain-losses-give-up',
    text: `WITH ended AS (
        UPDATE chain_losses l SET state = 'lost', ended_at = $now FROM chain_deposits d
        WHERE d.id = l.deposit_id AND d.gateway_id = $gatewayId AND l.state = 'open' AND l.at <= $before RETURNING deposit_id
      )
      UPDATE chain_deposits SET is_told = false WHERE id IN (SELECT deposit_id FROM ended)`,
    values: input,
  })
}

export type Unbound = { id: bigint; user_id: number; asset: string; block_at: Date }

/** Lists deposits without a payment, of users who have a payment to which the deposit may belong. */
export async function listUnbound(db: Db, input: { gatewayId: number; limit: number }): Promise<Unbound[]> {
  const { rows } = await db.query<Unbound>({
    name: 'chain-deposits-unbound',
    text: `SELECT id, user_id, asset, block_at FROM chain_deposits d WHERE gateway_id = $gatewayId AND state IN ('seen', 'waiting')
        AND lost_at IS NULL AND transaction_id IS NULL AND EXISTS (SELECT FROM payments p WHERE p.user_id = d.user_id
          AND p.gateway_id = d.gateway_id AND p.state NOT IN ('paid', 'refunded', 'disputed'))
      ORDER BY id LIMIT $limit`,
    values: input,
  })
  return rows
}

export async function bindDeposit(tx: Db, input: { id: bigint; transactionId: string }): Promise<void> {
  await tx.query({
    name: 'chain-deposit-bind',
    text: 'UPDATE chain_deposits SET transaction_id = $transactionId, is_told = false WHERE id = $id AND transaction_id IS NULL',
    values: input,
  })
}

export type DueDeposit = {
  id: bigint
  user_id: number
  asset: string
  units: bigint
  state: 'seen' | 'waiting'
  transaction_id: string | null
  address: string
  block_number: bigint
  block_at: Date
  currency: Currency
}

/** Lists deposits with enough confirmations, oldest first. Deposits that wait for a rate do not block others. */
export async function listDue(
  db: Db,
  input: { gatewayId: number; assets: readonly string[]; finalHeight: bigint; limit: number },
): Promise<DueDeposit[]> {
  const { rows } = await db.query<Omit<DueDeposit, 'units'> & { units: string }>({
    name: 'chain-deposits-due',
    text: `SELECT d.id, d.user_id, d.asset, d.units::text AS units, d.state, d.transaction_id, d.address, d.block_number, d.block_at, a.currency
      FROM chain_deposits d JOIN accounts a USING (user_id)
      WHERE d.gateway_id = $gatewayId AND d.state IN ('seen', 'waiting') AND d.lost_at IS NULL AND d.block_number <= $finalHeight
        AND d.asset = ANY ($assets)
      ORDER BY d.state = 'waiting', d.block_number, d.id LIMIT $limit`,
    values: input,
  })
  return rows.map(({ units, ...row }) => ({ ...row, units: BigInt(units) }))
}

/** Changes a deposit's state. Returns false if the deposit already has this state, or was lost meanwhile. */
export async function setDepositState(
  tx: Db,
  input: { id: bigint; state: 'waiting' | 'dust' | 'held' },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'chain-deposit-state',
    text: `UPDATE chain_deposits SET state = $state, is_told = transaction_id IS NULL
      WHERE id = $id AND state <> $state AND lost_at IS NULL`,
    values: input,
  })
  return rowCount === 1
}

/** Stores a deposit's value for good, so later rates do not change it. */
export async function storeWorth(
  tx: Db,
  input: UsedRate & { id: bigint; transactionId: string; quotedUnits: bigint; valueMicros: bigint; now: Date },
): Promise<void> {
  const { rowCount } = await tx.query({
    name: 'chain-deposit-worth',
    text: `UPDATE chain_deposits SET state = 'valued', transaction_id = $transactionId, quoted_units = $quotedUnits, value_micros = $valueMicros,
        rub_micros = $rubMicros, usd_rub_micros = $usdRubMicros, rate_source = $rateSource, rate_at = $rateAt, valued_at = $now,
        is_told = false
      WHERE id = $id AND state IN ('seen', 'waiting') AND lost_at IS NULL`,
    values: { ...input, quotedUnits: input.quotedUnits.toString() },
  })
  // A concurrent `chain:rewind` lost the deposit. This transaction rolls back, and the next round sees the loss.
  if (rowCount !== 1) throw new Error(`deposit ${input.id} was lost while it was valued`)
}
