import type { GatewayRow } from '#server/core/gateways/gateway.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'

export async function findGatewayRow(db: Db, code: string): Promise<GatewayRow | null> {
  const { rows } = await db.query<GatewayRow>({
    text: 'SELECT id, code, kind, settings FROM gateways WHERE code = $1',
    values: [code],
  })
  return rows[0] ?? null
}

export type UsedAddress = { address: string; place: number; branch: string; user_id: number; asset: string }

export async function listUsedAddresses(
  db: Db,
  input: { gatewayId: number; after: number; limit: number },
): Promise<UsedAddress[]> {
  const { rows } = await db.query<UsedAddress>({
    text: `SELECT a.address, a.place, a.branch, a.user_id, d.asset FROM chain_addresses a JOIN LATERAL (
        SELECT DISTINCT asset FROM chain_deposits d WHERE d.gateway_id = $gatewayId AND d.address = a.address
        UNION SELECT asset FROM chain_findings f WHERE f.gateway_id = $gatewayId AND f.address = a.address) d ON true
      WHERE a.place > $after ORDER BY a.place, a.branch, d.asset LIMIT $limit`,
    values: input,
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}

export type FindingRow = {
  id: bigint
  gateway: string
  kind: 'internal' | 'held'
  user_id: number
  address: string
  asset: string
  units: string
  height: bigint
  at: Date
}

const FINDING = `SELECT f.id, g.code AS gateway, f.kind, f.user_id, f.address, f.asset, f.units::text AS units, f.height, f.at
  FROM chain_findings f JOIN gateways g ON g.id = f.gateway_id`

export async function listFindings(db: Db, input: { after: bigint; limit: number }): Promise<FindingRow[]> {
  const { rows } = await db.query<FindingRow>({
    text: `${FINDING} WHERE f.settled_at IS NULL AND f.id > $after ORDER BY f.id LIMIT $limit`,
    values: input,
  })
  return rows
}

/**
 * Marks a finding (money on a blockchain that staff must look at) as settled. Returns null if the finding does not
 * exist or is already settled.
 */
export async function settleFinding(tx: Db, input: { id: bigint; now: Date }): Promise<FindingRow | null> {
  const { rows } = await tx.query<FindingRow>({
    text: `WITH settled AS (UPDATE chain_findings SET settled_at = $now WHERE id = $id AND settled_at IS NULL RETURNING id)
      ${FINDING} WHERE f.id IN (SELECT id FROM settled)`,
    values: input,
  })
  return rows[0] ?? null
}
