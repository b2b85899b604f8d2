import type { Db } from '#server/house/db/pool.ts'

export type Finding = {
  gatewayId: number
  kind: 'internal' | 'held'
  /** The text that makes a finding unique, so that it is stored once. */
  subject: string
  userId: number
  address: string
  asset: string
  units: bigint
  height: bigint
}

export async function insertFinding(tx: Db, finding: Finding & { now: Date }): Promise<void> {
  await tx.query({
    name: 'chain-finding-insert',
    text: `INSERT INTO chain_findings (gateway_id, kind, subject, user_id, address, asset, units, height, at)
      VALUES ($gatewayId, $kind, $subject, $userId, $address, $asset, $units, $height, $now)
      ON CONFLICT ON CONSTRAINT chain_findings_once DO NOTHING`,
    values: { ...finding, units: finding.units.toString() },
  })
}

export type CoinExpected = { address: string; user_id: number; height: bigint | null; units: bigint | null }

/** Lists addresses of payments that are open or ended recently, those checked longest ago first. */
export async function listCoinExpected(
  db: Db,
  input: { gatewayId: number; asset: string; since: Date; limit: number },
): Promise<CoinExpected[]> {
  const { rows } = await db.query<Omit<CoinExpected, 'units'> & { units: string | null }>({
    name: 'chain-coin-expected',
    text: `SELECT q.address, p.user_id, b.height, b.units::text AS units
      FROM chain_quotes q JOIN payments p USING (transaction_id)
        LEFT JOIN chain_balances b ON b.gateway_id = q.gateway_id AND b.address = q.address
      WHERE q.gateway_id = $gatewayId AND q.asset = $asset AND p.expires_at > $since
      GROUP BY 1, 2, 3, 4 ORDER BY b.height NULLS FIRST, q.address LIMIT $limit`,
    values: input,
  })
  return rows.map(({ units, ...row }) => ({ ...row, units: units === null ? null : BigInt(units) }))
}

export async function sumCoin(
  db: Db,
  input: { gatewayId: number; address: string; asset: string; after: bigint; through: bigint },
): Promise<bigint> {
  const { rows } = await db.query<{ units: string }>({
    name: 'chain-coin-sum',
    text: `SELECT COALESCE(sum(units), 0)::text AS units FROM chain_deposits WHERE gateway_id = $gatewayId AND address = $address
        AND asset = $asset AND lost_at IS NULL AND block_number > $after AND block_number <= $through`,
    values: input,
  })
  return BigInt(rows[0]?.units ?? 0)
}

export async function storeBalance(
  tx: Db,
  input: { gatewayId: number; address: string; height: bigint; units: bigint },
): Promise<void> {
  await tx.query({
    name: 'chain-balance-store',
    text: `INSERT INTO chain_balances (gateway_id, address, height, units) VALUES ($gatewayId, $address, $height, $units)
      ON CONFLICT (gateway_id, address) DO UPDATE SET height = $height, units = $units`,
    values: { ...input, units: input.units.toString() },
  })
}

export type ChainFaults = { waiting: boolean; found: boolean; since: Date }

/**
 * Returns whether deposits wait for a rate, whether staff still have unusual coins to check, and when the gateway was
 * created.
 */
export async function findFaults(db: Db, gatewayId: number): Promise<ChainFaults> {
  const { rows } = await db.query<ChainFaults>({
    name: 'chain-faults',
    text: `SELECT EXISTS (SELECT FROM chain_deposits WHERE gateway_id = $1 AND state = 'waiting' AND lost_at IS NULL) AS waiting,
        EXISTS (SELECT FROM chain_findings WHERE gateway_id = $1 AND settled_at IS NULL) AS found, created_at AS since
      FROM gateways WHERE id = $1`,
    values: [gatewayId],
  })
  const row = rows[0]
  if (row === undefined) throw new Error('the gateway is gone')
  return row
}
