import type { Db } from '#server/house/db/pool.ts'

/** A payment's deposit, one row for each time that its block was lost. `loss_id` is null if it never was. */
export type FactRow = {
  id: bigint
  tx_hash: string
  state: 'seen' | 'waiting' | 'dust' | 'held' | 'valued'
  sender: string
  value_micros: bigint | null
  credited_micros: bigint | null
  block_number: bigint
  is_lost: boolean
  loss_id: bigint | null
  loss_state: 'open' | 'won' | 'lost' | null
}

export async function listFacts(db: Db, input: { gatewayId: number; transactionId: string }): Promise<FactRow[]> {
  const { rows } = await db.query<FactRow>({
    name: 'chain-facts',
    text: `SELECT d.id, d.tx_hash, d.state, d.sender, d.value_micros, b.amount_micros AS credited_micros, d.block_number, d.lost_at IS NOT NULL AS is_lost,
        l.id AS loss_id, l.state AS loss_state
      FROM chain_deposits d LEFT JOIN chain_losses l ON l.deposit_id = d.id
        LEFT JOIN deposits b ON b.gateway_id = d.gateway_id AND b.provider_id = d.tx_hash || '-' || d.id
      WHERE d.gateway_id = $gatewayId AND d.transaction_id = $transactionId ORDER BY d.id, l.id`,
    values: input,
  })
  return rows
}

/**
 * Lists payments with deposits changed since the last settlement. If the chain has grown, adds payments whose deposits
 * gain confirmations.
 */
export async function listTouched(
  db: Db,
  input: { gatewayId: number; hasGrown: boolean; limit: number },
): Promise<string[]> {
  const { rows } = await db.query<{ transaction_id: string }>({
    name: 'chain-touched',
    text: `SELECT transaction_id FROM chain_deposits WHERE gateway_id = $gatewayId AND NOT is_told AND transaction_id IS NOT NULL
      UNION SELECT transaction_id FROM chain_deposits WHERE $hasGrown AND gateway_id = $gatewayId AND state IN ('seen', 'waiting')
        AND lost_at IS NULL AND transaction_id IS NOT NULL
      LIMIT $limit`,
    values: input,
  })
  return rows.map((row) => row.transaction_id)
}

export async function markTold(db: Db, transactionId: string): Promise<void> {
  await db.query({
    name: 'chain-told',
    text: 'UPDATE chain_deposits SET is_told = true WHERE transaction_id = $1 AND NOT is_told',
    values: [transactionId],
  })
}
