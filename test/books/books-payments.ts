import { MINUTE } from '#contract/time.ts'
import type { PaymentFacts } from '#server/core/gateways/gateway.ts'
import { insertPayment } from '#server/core/payments/queries/payments.ts'
import { settlePayment } from '#server/core/payments/settle-payment.ts'
import { takeForRefund } from '#server/core/payments/settling/take-for-refund.ts'
import type { Pool } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { insertGateway } from '#server/programs/cli/queries/gateways.ts'
import { BOOKS_START } from './books.ts'

const AMOUNT = 500_000_000n
const NOTHING: PaymentFacts = { progress: 'pending', deposits: [], reversals: [] }
const ALL: PaymentFacts = { ...NOTHING, deposits: [{ providerId: '', amountMicros: AMOUNT }] }

export const BOOKS_PAYMENTS = {
  pending: NOTHING,
  confirming: { ...NOTHING, progress: 'confirming' },
  expired: { ...NOTHING, progress: 'expired' },
  failed: { ...NOTHING, progress: 'failed' },
  partial: { ...NOTHING, deposits: [{ providerId: '', amountMicros: 200_000_000n }] },
  paid: ALL,
  rounded: { ...NOTHING, deposits: [{ providerId: '', amountMicros: AMOUNT + 1_234n }] },
  refunded: ALL,
  disputed: { ...ALL, reversals: [{ kind: 'dispute', providerId: 'dispute', amountMicros: AMOUNT, state: 'open' }] },
  won: { ...ALL, reversals: [{ kind: 'dispute', providerId: 'dispute-won', amountMicros: AMOUNT, state: 'open' }] },
} as const satisfies Record<string, PaymentFacts>
type BooksPayment = keyof typeof BOOKS_PAYMENTS

/** Inserts one payment of a user in every state, with fee and bonus. Returns the ids of the payments. */
export async function fillPayments(pool: Pool, userId: number): Promise<Record<BooksPayment, bigint>> {
  const gatewayId = await insertGateway(pool, { code: 'books', kind: 'transfer', settings: {}, now: BOOKS_START })
  if (gatewayId === null) throw new Error('the gateway of the books is there already')
  const ids: [string, bigint][] = []
  for (const [name, facts] of Object.entries(BOOKS_PAYMENTS)) {
    const id = await addPayment(pool, { userId, gatewayId, name })
    // A deposit arrives with its bonus before any money is reversed.
    await settle(pool, id, named({ ...facts, reversals: [] }, name))
    await settle(pool, id, named(facts, name))
    ids.push([name, id])
  }
  const made = Object.fromEntries(ids) as Record<BooksPayment, bigint>
  await transaction(pool, (tx) =>
    takeForRefund(tx, { id: made.refunded, amountMicros: AMOUNT, state: 'asked', now: BOOKS_START }),
  )
  const [dispute] = BOOKS_PAYMENTS.won.reversals
  await settle(pool, made.won, named({ ...ALL, reversals: [{ ...dispute, state: 'won' }] }, 'won'))
  return made
}

function named(facts: PaymentFacts, name: string): PaymentFacts {
  return { ...facts, deposits: facts.deposits.map((deposit) => ({ ...deposit, providerId: `deposit-${name}` })) }
}

async function addPayment(pool: Pool, input: { userId: number; gatewayId: number; name: string }): Promise<bigint> {
  const row = await insertPayment(pool, {
    transactionId: `payment-${input.name}`,
    userId: input.userId,
    gatewayId: input.gatewayId,
    system: 'books',
    amountMicros: AMOUNT,
    currency: 'rub',
    feePoints: 100,
    bonusPoints: 1000,
    idempotencyKey: null,
    inputHash: null,
    network: null,
    openLimit: 100,
    now: BOOKS_START,
    nextCheckAt: null,
    expiresAt: new Date(BOOKS_START.getTime() + MINUTE),
  })
  if (row === null) throw new Error('a payment of the books was not inserted')
  return row.id
}

async function settle(pool: Pool, id: bigint, facts: PaymentFacts): Promise<void> {
  await transaction(pool, (tx) => settlePayment(tx, { id, facts, now: BOOKS_START }))
}
