import { ACTIVE_STATES } from '#contract/activation.ts'
import type { Currency } from '#contract/money.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/db/pool.ts'
import { sqlList } from '#server/db/sql-list.ts'

export type OrderKind = 'activation' | 'rental'
export type Order = { kind: OrderKind; id: bigint }

export type OrderRow = {
  id: bigint
  user_id: number
  email: string | null
  service_code: string
  country_id: number
  operator: string | null
  state: string
  money: string
  price_micros: bigint
  currency: Currency
  supplier: string
  attempt: number
  supplier_reference: string | null
  cost_micros: bigint | null
  cost_currency: string | null
  /** Roubles for a dollar when it was bought. */
  cost_rate_micros: bigint | null
  phone: string | null
  sms_count: number
  channel: string
  created_at: Date
  expires_at: Date
  ended_at: Date | null
}

export type OrderFilter = {
  kind: OrderKind
  userId: number | null
  phone: string | null
  state: string | null
  serviceCode: string | null
  countryId: number | null
  supplier: string | null
  since: Date | null
  after: bigint | null
  limit: number
}

const TABLES = { activation: 'activations', rental: 'rentals' } as const
/** An activation has its price in its row, a rental in its charges. */
const PRICES = {
  activation: 'o.money, o.price_micros, o.currency',
  rental: `(SELECT string_agg(DISTINCT c.money, ' ') FROM charges c WHERE c.rental_id = o.id) AS money,
      (SELECT COALESCE(sum(c.price_micros), 0)::bigint FROM charges c WHERE c.rental_id = o.id) AS price_micros,
      (SELECT a.currency FROM accounts a WHERE a.user_id = o.user_id) AS currency`,
} as const

const columnsOf = (
  kind: OrderKind,
) => `o.id, o.user_id, u.email, o.service_code, o.country_id, o.operator, o.state, ${PRICES[kind]},
      s.code AS supplier, o.attempt, o.supplier_reference, o.cost_micros, o.cost_currency, o.cost_rate_micros, o.phone, o.sms_count, o.channel, o.created_at,
      o.expires_at, o.ended_at`

export async function listOrders(db: Db, filter: OrderFilter): Promise<OrderRow[]> {
  const open = filter.kind === 'activation' ? sqlList(ACTIVE_STATES) : `'active'`
  // Two halves, so that each uses its own index: who has the number, and who had it.
  const ofPhone = `SELECT * FROM ${TABLES[filter.kind]} WHERE phone = $phone AND ended_at IS NOT NULL
      UNION ALL SELECT * FROM ${TABLES[filter.kind]} WHERE phone = $phone AND ended_at IS NULL AND state IN (${open})`
  const { rows } = await db.query<OrderRow>({
    text: `SELECT ${columnsOf(filter.kind)}
      FROM ${filter.phone === null ? TABLES[filter.kind] : `(${ofPhone})`} o
      JOIN users u ON u.id = o.user_id JOIN suppliers s ON s.id = o.supplier_id
      WHERE ($userId::integer IS NULL OR o.user_id = $userId) AND ($phone::text IS NULL OR o.phone = $phone)
        AND ($state::text IS NULL OR o.state = $state OR ($state = 'open' AND o.ended_at IS NULL AND o.state <> 'failed'))
        AND ($serviceCode::text IS NULL OR o.service_code = $serviceCode)
        AND ($countryId::integer IS NULL OR o.country_id = $countryId)
        AND ($supplier::text IS NULL OR s.code = $supplier) AND ($since::timestamptz IS NULL OR o.created_at >= $since)
        AND ($after::bigint IS NULL OR o.id < $after)
      ORDER BY o.id DESC LIMIT $limit`,
    values: filter,
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}

export async function findOrder(db: Db, { kind, id }: Order): Promise<OrderRow | null> {
  const { rows } = await db.query<OrderRow>({
    text: `SELECT ${columnsOf(kind)} FROM ${TABLES[kind]} o JOIN users u ON u.id = o.user_id
      JOIN suppliers s ON s.id = o.supplier_id WHERE o.id = $1`,
    values: [id],
  })
  return rows[0] ?? null
}

export type Happening = { at: Date; what: string; data: Record<string, unknown> }

/** Only a rental of months with a message a minute has more. */
const MOST_HAPPENINGS = 2_000

/** State changes and attempts (`events`), money (`transfers`), messages without their text, and audit rows. */
export async function listHappenings(db: Db, { kind, id }: Order): Promise<Happening[]> {
  const transfers =
    kind === 'activation'
      ? ['hold', 'settle', 'refund'].map(
          (which) => `SELECT * FROM transfers WHERE activation_id = $1 AND ${KINDS[which]}`,
        )
      : ['hold', 'settle', 'refund'].map(
          (which) => `SELECT t.* FROM charges c JOIN transfers t ON t.charge_id = c.id AND t.${KINDS[which]}
            WHERE c.rental_id = $1`,
        )
  const { rows } = await db.query<Happening>({
    text: `SELECT at, what, data FROM (
        SELECT at, 1 AS rank, id, kind AS what, COALESCE(data, '{}') AS data FROM events
        WHERE subject_id = $1 AND kind LIKE $2 || '.%'
        UNION ALL
        SELECT at, 2, id, 'money.' || kind, jsonb_build_object('transfer', id, 'amount_micros', amount_micros,
          'currency', currency, 'from', from_account, 'to', to_account) FROM (${transfers.join(' UNION ALL ')}) moved
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
/** The same conditions as the unique indexes of transfers, so that each is used. */
const KINDS: Readonly<Record<string, string>> = {
  hold: `kind = 'hold'`,
  settle: `kind IN ('capture', 'release')`,
  refund: `kind = 'refund'`,
}
