import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'

export type OrderKind = 'activation' | 'rental'
export type Order = { kind: OrderKind; id: bigint }

export type Happening = { at: Date; what: string; data: Record<string, unknown> }

/** The maximum length of an order's time-line. Only a rental of months with a message a minute exceeds this length. */
const MOST_HAPPENINGS = 2_000

/** Lists an order's state changes and attempts, movements of money, messages (without text) and audit rows. */
export async function listHappenings(db: Db, { kind, id }: Order): Promise<Happening[]> {
  const transfers =
    kind === 'activation'
      ? 'SELECT * FROM transfers WHERE activation_id = $1'
      : 'SELECT t.* FROM charges c JOIN transfers t ON t.charge_id = c.id WHERE c.rental_id = $1'
  const { rows } = await db.query<Happening>({
    text: `SELECT at, what, data FROM (
        SELECT at, 1 AS rank, id, kind AS what, COALESCE(data, '{}') AS data FROM events
        WHERE subject_id = $1 AND kind LIKE $2 || '.%' AND at >= (SELECT created_at - interval '1 minute' FROM ${kind}s WHERE id = $1)
        UNION ALL
        SELECT at, 2, id, 'money.' || kind, jsonb_build_object('transfer', id, 'amount_micros', amount_micros,
          'currency', currency, 'from', from_account, 'to', to_account) FROM (${transfers}) moved
        UNION ALL
        SELECT received_at, 3, id, 'message', jsonb_build_object('message', id, 'sender', sender, 'given', given,
          'names', named_services, 'has_code', code IS NOT NULL) FROM messages WHERE ${TABLE_IDS[kind]} = $1
        UNION ALL
        SELECT at, 4, id, 'staff.' || command, jsonb_build_object('by', actor, 'reason', reason, 'audit', id) FROM audit_log
        WHERE subject = $2 || ':' || $1 OR detail->>'order' = $2 || ':' || $1
      ) happened ORDER BY at, rank, id LIMIT $3`,
    values: [id, kind, MOST_HAPPENINGS],
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}

const TABLE_IDS = { activation: 'activation_id', rental: 'rental_id' } as const
