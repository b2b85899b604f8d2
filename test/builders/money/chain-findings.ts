import type { Pool } from '#server/house/db/pool.ts'
import { insertGateway } from '#server/programs/cli/queries/gateways.ts'
import { settingsOf } from './chain.ts'

/** Inserts a gateway whose blockchain has been read to block 100, and the deposits found there. */
export async function fillChain(pool: Pool): Promise<void> {
  const now = new Date()
  const settings = settingsOf({
    nodes: ['https://node.example'],
    usdt: `0x${'11'.repeat(20)}`,
    usdc: `0x${'22'.repeat(20)}`,
  })
  const gatewayId = await insertGateway(pool, { code: 'chain', kind: 'evm', settings, now })
  await pool.query({
    text: 'INSERT INTO chain_watches (gateway_id, height, block_at) VALUES ($1, 100, $2)',
    values: [gatewayId, now],
  })
  await pool.query({
    text: `INSERT INTO chain_findings (gateway_id, kind, subject, user_id, address, asset, units, height, at)
      VALUES ($1, 'internal', 'one', 1, '0x00', 'coin', 5, 99, $2)`,
    values: [gatewayId, now],
  })
}
