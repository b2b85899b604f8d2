import type { Db } from '#server/house/db/pool.ts'

/** Inserts two deposits of user 1: one in a valid block, and one that a chain reorganisation removed. */
export async function fillChain(pool: Db): Promise<void> {
  await pool.query({
    text: `WITH deposits AS (
        INSERT INTO chain_deposits (gateway_id, chain, tx_hash, asset, address, units, place, user_id, sender, block_number, block_hash,
          block_at, seen_at, lost_at, state, value_micros)
        SELECT min(id), 'evm:1', name, '', '0x1', 1, 0, 1, '0x2', 1, '0x3', now(), now(), lost_at, 'valued', 1
        FROM gateways, (VALUES ('0xkept', NULL), ('0xlost', now())) given (name, lost_at) GROUP BY name, lost_at
        RETURNING id, lost_at
      )
      INSERT INTO chain_losses (deposit_id, state, at) SELECT id, 'lost', lost_at FROM deposits WHERE lost_at IS NOT NULL`,
  })
}
