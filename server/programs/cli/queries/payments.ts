import type { Currency } from '#contract/money.ts'
import type { PaymentState } from '#contract/payment.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'

export type PaymentSheet = {
  id: bigint
  transaction_id: string
  user_id: number
  email: string | null
  gateway: string
  kind: string
  system: string
  state: PaymentState
  amount_micros: bigint
  received_micros: bigint
  reversed_micros: bigint
  /** The part of `reversed_micros` whose refunds are unfinished. */
  asked_micros: bigint
  currency: Currency
  provider_id: string | null
  created_at: Date
  expires_at: Date
  paid_at: Date | null
  next_check_at: Date | null
}

const SHEET = `SELECT p.id, p.transaction_id, p.user_id, u.email, g.code AS gateway, g.kind, p.system, p.state, p.amount_micros,
    COALESCE((SELECT sum(amount_micros) FROM deposits d WHERE d.payment_id = p.id), 0)::bigint AS received_micros,
    COALESCE((SELECT sum(amount_micros) FROM reversals r WHERE r.payment_id = p.id AND r.state NOT IN ('failed', 'won')), 0)::bigint
      AS reversed_micros,
    COALESCE((SELECT sum(amount_micros) FROM reversals r WHERE r.payment_id = p.id AND r.state = 'asked'), 0)::bigint AS asked_micros,
    p.currency, p.provider_id, p.created_at, p.expires_at, p.paid_at, p.next_check_at
  FROM payments p JOIN gateways g ON g.id = p.gateway_id JOIN users u ON u.id = p.user_id`

/** Finds a payment by its number, its transaction id, or the gateway's id, such as a bank transfer's reference. */
export async function findPaymentSheet(db: Db, name: string): Promise<PaymentSheet | null> {
  const { rows } = await db.query<PaymentSheet>({
    text: `${SHEET} WHERE p.transaction_id = $1 OR p.provider_id = $1 OR p.id = $2 ORDER BY p.id LIMIT 2`,
    values: [name, /^\d{1,18}$/.test(name) ? BigInt(name) : null],
  })
  return rows[0] ?? null
}

export async function listPaymentSheets(
  db: Db,
  wanted: {
    state: string | null
    gateway: string | null
    userId: number | null
    since: Date | null
    after: bigint | null
    limit: number
  },
): Promise<PaymentSheet[]> {
  const { rows } = await db.query<PaymentSheet>({
    text: `${SHEET} WHERE ($state::text IS NULL OR p.state = $state
        OR $state = 'open' AND p.state IN ('created', 'pending', 'confirming')
        OR $state = 'refunding' AND EXISTS (SELECT FROM reversals r WHERE r.payment_id = p.id AND r.state = 'asked')
        OR $state = 'waiting' AND (EXISTS (SELECT FROM coin_deposits c
            WHERE c.transaction_id = p.transaction_id AND c.rest_micros IS NULL AND c.gone_at IS NULL)
          OR EXISTS (SELECT FROM chain_deposits c WHERE c.transaction_id = p.transaction_id AND c.state = 'waiting' AND c.lost_at IS NULL))
        OR $state = 'unowned' AND u.erased_at IS NOT NULL AND EXISTS (SELECT FROM deposits d WHERE d.payment_id = p.id AND d.at > u.erased_at))
      AND ($gateway::text IS NULL OR g.code = $gateway) AND ($userId::integer IS NULL OR p.user_id = $userId)
      AND ($since::timestamptz IS NULL OR p.created_at >= $since) AND ($after::bigint IS NULL OR p.id < $after)
      ORDER BY p.id DESC LIMIT $limit`,
    values: wanted,
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}

export type PaymentHappening = { at: Date; what: string; micros: bigint | null; named: string | null }

/** Lists what happened to a payment, by time: movements of money, events of the gateway and actions of staff. */
export async function listPaymentHappenings(db: Db, payment: { id: bigint }): Promise<PaymentHappening[]> {
  const { rows } = await db.query<PaymentHappening>({
    text: `SELECT at, what, micros, named FROM (
        SELECT t.at, t.kind AS what, t.amount_micros AS micros, COALESCE(d.provider_id, r.provider_id) AS named, t.id
        FROM transfers t LEFT JOIN deposits d ON d.id = t.deposit_id LEFT JOIN reversals r ON r.id = t.reversal_id
        WHERE t.payment_id = $1
        UNION ALL
        SELECT received_at, 'event ' || state, NULL, provider_event_id, id FROM gateway_events WHERE payment_id = $1
        UNION ALL
        SELECT at, command || ' by ' || actor, NULL, reason, id FROM audit_log WHERE subject = 'payment:' || $1::text
      ) happenings ORDER BY at, id LIMIT 500`,
    values: [payment.id],
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}

export async function checkSoon(tx: Db, input: { id: bigint; now: Date }): Promise<void> {
  await tx.query({ text: 'UPDATE payments SET next_check_at = $now, checks = 0 WHERE id = $id', values: input })
}
