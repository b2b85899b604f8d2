import { ACTIVE_STATES } from '#contract/activation.ts'
import { UNQUEUED } from '#server/adapters/sim-bank/serve/queries/pushes.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'
import { sqlList } from '#server/house/db/sql-list.ts'

/** Returns an API key that may buy; null if the key is unknown, revoked, a sandbox key, or lacks the scope `buy`. */
export async function findBuyingKey(tx: Db, id: number): Promise<{ id: number } | null> {
  const { rows } = await tx.query<{ id: number }>({
    text: `SELECT id FROM api_keys WHERE id = $1 AND revoked_at IS NULL AND NOT sandbox AND 'buy' = ANY (scopes)`,
    values: [id],
  })
  return rows[0] ?? null
}

/**
 * Inserts an outlet (a platform that buys our numbers) and returns its id. Returns null if another outlet has the same
 * code.
 */
export async function insertOutlet(
  tx: Db,
  row: { code: string; kind: string; apiKeyId: number; settings: Record<string, unknown>; now: Date },
): Promise<number | null> {
  const { rows } = await tx.query<{ id: number }>({
    text: `INSERT INTO outlets (code, kind, api_key_id, settings, created_at) VALUES ($code, $kind, $apiKeyId, $settings, $now)
      ON CONFLICT ON CONSTRAINT outlets_code_unique DO NOTHING RETURNING id`,
    values: { ...row, settings: JSON.stringify(row.settings) },
  })
  return rows[0]?.id ?? null
}

export type OutletSummary = {
  code: string
  kind: string
  /** The id of the outlet's API key; null if the key was deleted with its account. */
  key: number | null
  user_id: number | null
  paused_at: Date | null
  given: bigint
  sold: bigint
  refunded: bigint
  waiting: bigint
  given_up: bigint
  reason: string | null
}

export async function listOutlets(db: Db, now: Date): Promise<OutletSummary[]> {
  const { rows } = await db.query<OutletSummary>({
    text: `SELECT o.code, o.kind, o.api_key_id AS key, k.user_id, o.paused_at, orders.*, pushes.*
      FROM outlets o LEFT JOIN api_keys k ON k.id = o.api_key_id
      CROSS JOIN LATERAL (SELECT count(*) AS given, count(*) FILTER (WHERE told = 3) AS sold,
          count(*) FILTER (WHERE refunded_at IS NOT NULL) AS refunded
        FROM outlet_orders WHERE outlet_id = o.id AND sold_at > $1::timestamptz - interval '1 day') orders
      CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE state = 'due') AS waiting, count(*) FILTER (WHERE state = 'given_up') AS given_up,
          (array_agg(reason ORDER BY message_id DESC) FILTER (WHERE reason IS NOT NULL))[1] AS reason
        FROM outlet_pushes WHERE outlet_id = o.id) pushes
      WHERE o.removed_at IS NULL ORDER BY o.id`,
    values: [now],
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}

export type OutletState = { id: number; settings: Record<string, unknown>; paused_at: Date | null }

export async function lockOutlet(tx: Db, code: string): Promise<OutletState | null> {
  const { rows } = await tx.query<OutletState>({
    text: 'SELECT id, settings, paused_at FROM outlets WHERE code = $1 AND removed_at IS NULL FOR UPDATE',
    values: [code],
  })
  return rows[0] ?? null
}

export async function setOutletPaused(tx: Db, input: { id: number; pausedAt: Date | null }): Promise<void> {
  await tx.query({ text: 'UPDATE outlets SET paused_at = $2 WHERE id = $1', values: [input.id, input.pausedAt] })
}

export async function changeOutlet(tx: Db, input: { id: number; settings: Record<string, unknown> }): Promise<void> {
  await tx.query({
    text: 'UPDATE outlets SET settings = $2 WHERE id = $1',
    values: [input.id, JSON.stringify(input.settings)],
  })
}

const OPEN = sqlList(['reserving', ...ACTIVE_STATES])

export type OpenOfOutlet = {
  /** The number of open orders, including those without an outlet after a crash during the purchase. */
  orders: number
  /** The number of reports from the platform that are not carried out yet. */
  words: number
  /** The number of messages that the platform has neither accepted nor finally rejected, queued or not. */
  pushes: number
}

export async function countOpenOfOutlet(tx: Db, input: { id: number; now: Date }): Promise<OpenOfOutlet> {
  const { rows } = await tx.query<OpenOfOutlet>({
    text: `SELECT ((SELECT count(*) FROM outlet_orders o JOIN activations a ON a.id = o.activation_id
          WHERE o.outlet_id = $id AND a.state IN (${OPEN}))
        + (SELECT count(*) FROM outlets o JOIN api_keys k ON k.id = o.api_key_id JOIN activations a ON a.user_id = k.user_id
          WHERE o.id = $id AND a.channel = 'agent' AND a.state IN (${OPEN})
            AND NOT EXISTS (SELECT FROM outlet_orders other WHERE other.activation_id = a.id)))::integer AS orders,
      (SELECT count(*)::integer FROM outlet_orders WHERE outlet_id = $id AND told IS NOT NULL AND NOT carried_out) AS words,
      ((SELECT count(*) FROM outlet_pushes WHERE outlet_id = $id AND state = 'due')
        + (SELECT count(*) ${UNQUEUED} AND o.outlet_id = $id))::integer AS pushes`,
    values: input,
    limitMs: SLOW_LIMIT_MS,
  })
  return rows[0] ?? { orders: 0, words: 0, pushes: 0 }
}

/**
 * Marks an outlet (a platform that buys our numbers) as removed, and stops passing SMS on to it. Its row stays, because
 * orders name it.
 */
export async function removeOutletRow(tx: Db, input: { id: number; now: Date }): Promise<void> {
  await tx.query({
    text: `WITH watched AS (UPDATE outlet_orders SET watched_until = $2 WHERE outlet_id = $1 AND watched_until > $2)
      UPDATE outlets SET removed_at = $2, settings = '{}' WHERE id = $1`,
    values: [input.id, input.now],
  })
}
