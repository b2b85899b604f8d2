import type { ActivationState } from '#contract/activation.ts'
import type { Locale } from '#contract/constants.ts'
import type { Currency } from '#contract/money.ts'
import type { PaymentState } from '#contract/payment.ts'
import type { RentalState } from '#contract/rental.ts'
import type { OrderKind } from '#contract/staff/staff-constants.ts'
import type { Db } from '#server/house/db/pool.ts'

export type BuyerRow = {
  id: number
  name: string
  email: string | null
  locale: Locale
  blocked_at: Date | null
  erased_at: Date | null
  created_at: Date
  currency: Currency
  available_micros: bigint
  held_micros: bigint
  debt_micros: bigint
  tickets: bigint
}

export async function findBuyer(db: Db, userId: number): Promise<BuyerRow | null> {
  const { rows } = await db.query<BuyerRow>({
    name: 'staff-buyer',
    text: `SELECT u.id, u.name, u.email, u.locale, u.blocked_at, u.erased_at, u.created_at, a.currency, a.available_micros, a.held_micros,
        a.debt_micros, (SELECT count(*) FROM support_tickets t WHERE t.user_id = u.id) AS tickets
      FROM users u JOIN accounts a ON a.user_id = u.id WHERE u.id = $1`,
    values: [userId],
  })
  return rows[0] ?? null
}

export type CardNumberRow = {
  kind: OrderKind
  id: bigint
  service_code: string
  country_id: number
  phone: string | null
  supplier: string
  state: ActivationState | RentalState
  sms_count: number
  created_at: Date
  price_micros: bigint
  due_micros: bigint
  refunded: boolean
}

const SUPPLIER = '(SELECT s.code FROM suppliers s WHERE s.id = o.supplier_id) AS supplier'
const ACTIVATIONS = `SELECT 'activation' AS kind, o.id, o.service_code, o.country_id, o.phone, ${SUPPLIER}, o.state, o.sms_count, o.created_at,
    o.price_micros, CASE WHEN o.money = 'captured' AND r.refunded_micros IS NULL THEN o.price_micros ELSE 0 END AS due_micros,
    r.refunded_micros IS NOT NULL AS refunded
  FROM activations o LEFT JOIN LATERAL (SELECT sum(amount_micros) AS refunded_micros FROM transfers t
    WHERE t.activation_id = o.id AND t.kind = 'refund') r ON true WHERE o.user_id = $userId`
const RENTALS = `SELECT 'rental', o.id, o.service_code, o.country_id, o.phone, ${SUPPLIER}, o.state, o.sms_count, o.created_at,
    c.price_micros, c.captured_micros - c.refunded_micros, c.refunded_micros > 0
  FROM rentals o JOIN LATERAL (SELECT COALESCE(sum(h.price_micros), 0)::bigint AS price_micros,
      COALESCE(sum(h.price_micros) FILTER (WHERE h.money = 'captured'), 0)::bigint AS captured_micros,
      COALESCE(sum(t.amount_micros), 0)::bigint AS refunded_micros
    FROM charges h LEFT JOIN transfers t ON t.charge_id = h.id AND t.kind = 'refund' WHERE h.rental_id = o.id) c ON true
  WHERE o.user_id = $userId`
const LATEST = 'ORDER BY o.created_at DESC, o.id DESC LIMIT $limit'

export async function listCardNumbers(
  db: Db,
  input: { userId: number; activationId: bigint | null; rentalId: bigint | null; limit: number },
): Promise<CardNumberRow[]> {
  const { rows } = await db.query<CardNumberRow>({
    name: 'staff-card-numbers',
    text: `(${ACTIVATIONS} AND o.id = $activationId) UNION (${ACTIVATIONS} ${LATEST})
      UNION (${RENTALS} AND o.id = $rentalId) UNION (${RENTALS} ${LATEST}) ORDER BY created_at DESC, id DESC`,
    values: input,
  })
  return rows
}

export type CardPaymentRow = {
  id: bigint
  transaction_id: string
  gateway_id: number
  system: string
  state: PaymentState
  amount_micros: bigint
  created_at: Date
}

export async function listCardPayments(
  db: Db,
  input: { userId: number; paymentId: bigint | null; limit: number },
): Promise<CardPaymentRow[]> {
  const payments = `SELECT p.id, p.transaction_id, p.gateway_id, p.system, p.state, p.amount_micros, p.created_at
    FROM payments p WHERE p.user_id = $userId`
  const { rows } = await db.query<CardPaymentRow>({
    name: 'staff-card-payments',
    text: `(${payments} AND p.id = $paymentId) UNION (${payments} ORDER BY p.created_at DESC, p.id DESC LIMIT $limit)
      ORDER BY created_at DESC, id DESC`,
    values: input,
  })
  return rows
}

const TABLES = { activation: 'activations', rental: 'rentals' } as const

export async function isOrderOf(db: Db, input: { userId: number; kind: OrderKind; id: number }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: `staff-order-of-${input.kind}`,
    text: `SELECT FROM ${TABLES[input.kind]} WHERE id = $1 AND user_id = $2`,
    values: [input.id, input.userId],
  })
  return rowCount === 1
}
