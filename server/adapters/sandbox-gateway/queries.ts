import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'

export const DEEDS = [
  ...(['exact', 'less', 'more', 'twice', 'late', 'expire', 'fail', 'dispute', 'win', 'lose'] as const),
  'confirm',
] as const
export type Deed = (typeof DEEDS)[number]

export type SandboxPayment = {
  id: string
  transaction_id: string
  amount_micros: bigint
  currency: Currency
  state: 'pending' | 'confirming' | 'expired' | 'failed'
  /** The number of confirmations of a transfer to an address, or null for a payment on a bank's page. */
  confirmations: number | null
  return_url: string
  deposits: { id: string; micros: string }[]
  reversals: { id: string; kind: 'refund' | 'dispute'; micros: string; state: 'done' | 'open' | 'won' | 'lost' }[]
}

export async function insertSandboxPayment(
  db: Db,
  input: {
    id: string
    transactionId: string
    amountMicros: bigint
    currency: Currency
    returnUrl: string
    isPaid: boolean
    isTransfer: boolean
    now: Date
  },
): Promise<void> {
  await db.query({
    text: `INSERT INTO sandbox_payments (id, transaction_id, amount_micros, currency, state, return_url, deposits, confirmations, created_at)
      VALUES ($id, $transactionId, $amountMicros, $currency, 'pending', $returnUrl,
        CASE WHEN $isPaid THEN ${depositOf('$id', '$amountMicros', 1)} ELSE '[]' END, CASE WHEN $isTransfer THEN 0 END, $now)
      ON CONFLICT DO NOTHING`,
    values: input,
  })
}

export async function findSandboxPayment(
  db: Db,
  by: { id: string } | { transactionId: string },
): Promise<SandboxPayment | null> {
  const [column, value] = 'id' in by ? ['id', by.id] : ['transaction_id', by.transactionId]
  const { rows } = await db.query<SandboxPayment>({
    text: `SELECT id, transaction_id, amount_micros, currency, state, return_url, deposits, reversals, confirmations
      FROM sandbox_payments WHERE ${column} = $1`,
    values: [value],
  })
  return rows[0] ?? null
}

function depositOf(id: string, micros: string, number: number): string {
  return `jsonb_build_array(jsonb_build_object('id', ${id}::text || '-d${number}', 'micros', (${micros})::bigint::text))`
}

const PAY = (micros: string, more = '') => `deposits = ${depositOf('id', micros, 1)}${more === '' ? '' : ` || ${more}`}`
const UNPAID = `deposits = '[]'`
const DISPUTED = `reversals @> '[{"kind": "dispute", "state": "open"}]'`
const settleDispute = (state: 'won' | 'lost') =>
  `reversals = (SELECT jsonb_agg(CASE one->>'state' WHEN 'open' THEN one || '{"state": "${state}"}' ELSE one END)
    FROM jsonb_array_elements(reversals) one)`

/** The number of confirmations that one click on the sandbox page brings, so that three clicks are enough. */
const BLOCK = 4
export const CONFIRMATIONS_NEEDED = 12

const EFFECTS: Record<Deed, { set: string; when: string }> = {
  exact: { set: PAY('amount_micros'), when: `${UNPAID} AND state = 'pending'` },
  less: { set: PAY('amount_micros * 6 / 10'), when: `${UNPAID} AND state = 'pending'` },
  more: { set: PAY('amount_micros * 3 / 2'), when: `${UNPAID} AND state = 'pending'` },
  twice: { set: PAY('amount_micros', depositOf('id', 'amount_micros', 2)), when: `${UNPAID} AND state = 'pending'` },
  late: { set: PAY('amount_micros'), when: `${UNPAID} AND state = 'expired'` },
  expire: { set: `state = 'expired'`, when: `${UNPAID} AND state = 'pending'` },
  fail: { set: `state = 'failed'`, when: `${UNPAID} AND state = 'pending'` },
  dispute: {
    set: `reversals = reversals || jsonb_build_array(jsonb_build_object('id', id || '-dispute', 'kind', 'dispute', 'state', 'open',
      'micros', (SELECT sum((one->>'micros')::bigint)::text FROM jsonb_array_elements(deposits) one)))`,
    when: `NOT ${UNPAID} AND reversals = '[]' AND confirmations IS NULL`,
  },
  confirm: {
    set: `state = 'confirming', confirmations = confirmations + ${BLOCK},
      deposits = CASE WHEN confirmations + ${BLOCK} >= ${CONFIRMATIONS_NEEDED} THEN ${depositOf('id', 'amount_micros', 1)} ELSE deposits END`,
    when: `confirmations IS NOT NULL AND ${UNPAID} AND state IN ('pending', 'confirming')`,
  },
  win: { set: settleDispute('won'), when: DISPUTED },
  lose: { set: settleDispute('lost'), when: DISPUTED },
}

/**
 * Carries out a click on the sandbox page. Returns the payment's event count, or null if its state forbids the click.
 */
export async function play(db: Db, { id, deed }: { id: string; deed: Deed }): Promise<number | null> {
  const { set, when } = EFFECTS[deed]
  const { rows } = await db.query<{ events: number }>({
    text: `UPDATE sandbox_payments SET events = events + 1, ${set} WHERE id = $1 AND ${when} RETURNING events`,
    values: [id],
  })
  return rows[0]?.events ?? null
}

export async function addRefund(
  db: Db,
  input: { transactionId: string; providerId: string; amountMicros: bigint },
): Promise<void> {
  await db.query({
    text: `UPDATE sandbox_payments SET reversals = reversals || jsonb_build_array(jsonb_build_object('id', $providerId::text,
        'kind', 'refund', 'state', 'done', 'micros', $amountMicros::bigint::text))
      WHERE transaction_id = $transactionId AND NOT reversals @> jsonb_build_array(jsonb_build_object('id', $providerId::text))`,
    values: input,
  })
}
