import { ACTIVE_STATES } from '#contract/activation.ts'
import type { Currency } from '#contract/money.ts'
import type { Order, OrderKind } from '#server/core/numbers/listing/queries/happenings.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'
import { sqlList } from '#server/house/db/sql-list.ts'

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
  /** The price of a dollar in roubles at the purchase. */
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
  paidFor: PaidFor | null
  after: bigint | null
  limit: number
}

/**
 * Why an activation was charged:
 * - `text`: by a message without a code, and it was not refunded.
 * - `notice`: its buyer opened a message that is only a notice.
 * - `not-mine`: its buyer reported that the message has no code of the service, and got the money back.
 */
export const PAID_FOR = ['text', 'notice', 'not-mine'] as const
export type PaidFor = (typeof PAID_FOR)[number]

const OPENED = `EXISTS (SELECT FROM messages m WHERE m.activation_id = o.id AND m.given = 'opened')`
const paidForSql = `CASE $paidFor::text
          WHEN 'text' THEN o.money = 'captured' AND o.code IS NULL AND u.erased_at IS NULL AND NOT ${OPENED}
            AND NOT EXISTS (SELECT FROM transfers t WHERE t.activation_id = o.id AND t.kind = 'refund')
          WHEN 'notice' THEN ${OPENED}
          WHEN 'not-mine' THEN EXISTS (SELECT FROM used_reports r WHERE r.activation_id = o.id AND r.message_id IS NOT NULL)
          ELSE true END`

const TABLES = { activation: 'activations', rental: 'rentals' } as const
/** SQL for the price of an order. A rental stores its price in its charges. */
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

/** Lists orders. Sandbox orders are listed only if their supplier or a user is given. */
export async function listOrders(db: Db, filter: OrderFilter): Promise<OrderRow[]> {
  const open = filter.kind === 'activation' ? sqlList(ACTIVE_STATES) : `'active'`
  // The union lets each of its halves use its own index: orders that still have the phone number, and orders that had
  // it.
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
        AND ($supplier::text IS NULL OR s.code = $supplier)
        AND (NOT s.sandbox OR $supplier::text IS NOT NULL OR $userId::integer IS NOT NULL) AND ($since::timestamptz IS NULL OR o.created_at >= $since)
        AND ($after::bigint IS NULL OR o.id < $after)${filter.kind === 'activation' ? ` AND ${paidForSql}` : ''}
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

/** Locks the activations. Orders are locked before accounts, as in the buyer's own request, to avoid a deadlock. */
export async function lockActivations(tx: Db, ids: readonly bigint[]): Promise<void> {
  await tx.query({ text: 'SELECT FROM activations WHERE id = ANY ($1) ORDER BY id FOR UPDATE', values: [ids] })
}
