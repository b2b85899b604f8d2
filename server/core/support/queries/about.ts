import type { ActivationState } from '#contract/activation.ts'
import type { Currency } from '#contract/money.ts'
import type { PaymentState } from '#contract/payment.ts'
import type { RentalState } from '#contract/rental.ts'
import type { AboutKind } from '#contract/support/support-constants.ts'
import type { Db } from '#server/house/db/pool.ts'

type Sum = { row_id: bigint; amount_micros: bigint; currency: Currency; created_at: Date }
type OfNumber = Sum & { service_code: string; country_id: number; phone: string | null; refunded_micros: bigint | null }

export type AboutRow =
  | (OfNumber & { kind: 'activation'; state: ActivationState })
  | (OfNumber & { kind: 'rental'; state: RentalState })
  | (Sum & { kind: 'payment'; state: PaymentState; transaction_id: string; system: string })

const OF_NUMBER = 'x.id AS row_id, x.service_code, x.country_id, x.phone, x.state, x.created_at'

/** Each query begins with the condition for one user, so that rows of other users are never found. */
const SOURCES: Record<AboutKind, string> = {
  activation: `SELECT 'activation' AS kind, ${OF_NUMBER}, x.price_micros AS amount_micros, x.currency,
      NULL AS transaction_id, NULL AS system, (SELECT sum(amount_micros)::bigint FROM transfers t
        WHERE t.activation_id = x.id AND t.kind = 'refund') AS refunded_micros FROM activations x WHERE x.user_id = $userId`,
  rental: `SELECT 'rental' AS kind, ${OF_NUMBER}, (SELECT sum(price_micros)::bigint FROM charges c
      WHERE c.rental_id = x.id AND (c.purpose = 'rental' OR c.money = 'captured')) AS amount_micros,
      (SELECT currency FROM accounts a WHERE a.user_id = x.user_id) AS currency,
      NULL AS transaction_id, NULL AS system, (SELECT sum(t.amount_micros)::bigint FROM charges c
        JOIN transfers t ON t.charge_id = c.id AND t.kind = 'refund' WHERE c.rental_id = x.id) AS refunded_micros FROM rentals x WHERE x.user_id = $userId`,
  payment: `SELECT 'payment' AS kind, x.id AS row_id, NULL AS service_code, NULL::integer AS country_id, NULL AS phone, x.state,
      x.created_at, x.amount_micros, x.currency, x.transaction_id, x.system, NULL::bigint AS refunded_micros FROM payments x WHERE x.user_id = $userId`,
}

/**
 * Finds the purchase or payment of a user that a ticket is about. A text `id` is a payment's transaction id; a bigint
 * is the id of the row.
 */
export async function findAbout(
  db: Db,
  input: { userId: number; kind: AboutKind; id: string | bigint },
): Promise<AboutRow | null> {
  const { kind, id } = input
  const column = typeof id === 'string' ? 'x.transaction_id' : 'x.id'
  const { rows } = await db.query<AboutRow>({
    name: `support-about-${kind}-${typeof id}`,
    text: `${SOURCES[kind]} AND ${column} = $id`,
    values: { userId: input.userId, id },
  })
  return rows[0] ?? null
}

/** Lists what a ticket may be about, newest first. Purchases that never got a number are left out. */
export async function listSubjects(db: Db, input: { userId: number; ofKind: number }): Promise<AboutRow[]> {
  const latest = (kind: AboutKind) => {
    const bought = kind === 'payment' ? '' : 'AND x.phone IS NOT NULL'
    return `(${SOURCES[kind]} ${bought} ORDER BY x.created_at DESC, x.id DESC LIMIT $ofKind)`
  }
  const { rows } = await db.query<AboutRow>({
    name: 'support-subjects',
    text: `${latest('activation')} UNION ALL ${latest('rental')} UNION ALL ${latest('payment')} ORDER BY created_at DESC`,
    values: input,
  })
  return rows
}
