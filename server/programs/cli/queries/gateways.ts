import type { Currency } from '#contract/money.ts'
import { DAY } from '#contract/time.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'

export type GatewayState = { id: number; kind: string; settings: Record<string, unknown>; paused_at: Date | null }

export async function lockGateway(tx: Db, code: string): Promise<GatewayState | null> {
  const { rows } = await tx.query<GatewayState>({
    text: 'SELECT id, kind, settings, paused_at FROM gateways WHERE code = $1 FOR UPDATE',
    values: [code],
  })
  return rows[0] ?? null
}

/** Inserts a gateway and returns its id. Returns null if another gateway has the same code. */
export async function insertGateway(
  tx: Db,
  row: { code: string; kind: string; settings: Record<string, unknown>; now: Date },
): Promise<number | null> {
  const { rows } = await tx.query<{ id: number }>({
    text: `INSERT INTO gateways (code, kind, settings, created_at) VALUES ($code, $kind, $settings, $now)
      ON CONFLICT ON CONSTRAINT gateways_code_unique DO NOTHING RETURNING id`,
    values: { ...row, settings: JSON.stringify(row.settings) },
  })
  return rows[0]?.id ?? null
}

export async function pauseGatewayRow(tx: Db, input: { id: number; pausedAt: Date | null }): Promise<void> {
  await tx.query({ text: 'UPDATE gateways SET paused_at = $2 WHERE id = $1', values: [input.id, input.pausedAt] })
}

/** Stores new settings of a gateway and raises their version, so that a running server loads them. */
export async function changeGateway(tx: Db, input: { id: number; settings: Record<string, unknown> }): Promise<void> {
  await tx.query({
    text: 'UPDATE gateways SET settings = $2, settings_version = settings_version + 1 WHERE id = $1',
    values: [input.id, JSON.stringify(input.settings)],
  })
}

export type GatewaySummary = {
  id: number
  code: string
  kind: string
  paused_at: Date | null
  last_success_at: Date | null
  last_failure_at: Date | null
  failing_since: Date | null
  last_failure: string | null
  open: number
  stored_events: number
  /** The newest block that was read (`height`), and the newest that the chain's nodes know (`head`). */
  height: bigint | null
  head: bigint | null
  stopped: string | null
  /** The number of unfinished refunds, and when the oldest was requested. */
  refunds: number
  refunds_since: Date | null
  refused_events: number
  sums: { currency: Currency; micros: string }[] | null
}

export async function listGateways(db: Db, now: Date): Promise<GatewaySummary[]> {
  const { rows } = await db.query<GatewaySummary>({
    text: `SELECT g.id, g.code, g.kind, g.paused_at, g.last_success_at, g.last_failure_at, g.failing_since, g.last_failure,
        (SELECT count(*)::integer FROM payments p WHERE p.gateway_id = g.id AND p.state IN ('created', 'pending', 'confirming')) AS open,
        (SELECT count(*)::integer FROM gateway_events e WHERE e.gateway_id = g.id AND e.state = 'stored') AS stored_events,
        (SELECT count(*)::integer FROM reversals r WHERE r.gateway_id = g.id AND r.state = 'asked') AS refunds,
        (SELECT min(at) FROM reversals r WHERE r.gateway_id = g.id AND r.state = 'asked') AS refunds_since,
        (SELECT count(*)::integer FROM gateway_events e WHERE e.gateway_id = g.id AND e.state = 'refused'
          AND e.received_at > $since) AS refused_events,
        (SELECT json_agg(json_build_object('currency', currency, 'micros', micros::text) ORDER BY currency) FROM (
          SELECT currency, sum(micros) AS micros FROM (
            SELECT currency, amount_micros AS micros FROM deposits d WHERE d.gateway_id = g.id
            UNION ALL SELECT currency, -amount_micros FROM reversals r WHERE r.gateway_id = g.id AND r.state NOT IN ('failed', 'won')
          ) parts GROUP BY currency) totals) AS sums,
        w.height, w.head, w.stopped
      FROM gateways g LEFT JOIN chain_watches w ON w.gateway_id = g.id ORDER BY g.id`,
    values: { since: new Date(now.getTime() - DAY) },
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}
