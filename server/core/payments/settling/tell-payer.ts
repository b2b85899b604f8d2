import { type PaymentState, paymentPath } from '#contract/payment.ts'
import { notify } from '#server/core/notifications/notify.ts'
import type { ReversalRow } from '#server/core/payments/queries/money.ts'
import { raiseHook } from '#server/core/webhooks/queries/raise.ts'
import type { Db } from '#server/house/db/pool.ts'
import { isTaken, sumOf } from './settle-reversals.ts'
import { movedForDeposits, type Settlement } from './settlement.ts'

type Told = {
  settlement: Settlement
  before: PaymentState
  after: PaymentState
  arrivedMicros: bigint
  reversals: readonly ReversalRow[]
  ended: readonly ReversalRow[]
}

/**
 * Notifies the payer of credited money and of disputes, in the transaction that moved the money. A voucher is left out,
 * because its user sees the result.
 */
export async function tellPayer(
  tx: Db,
  { settlement, before, after, arrivedMicros, reversals, ended }: Told,
): Promise<void> {
  const { row, now } = settlement
  const { user_id: userId, currency, transaction_id: payment } = row
  const common = { userId, link: paymentPath(payment) }
  const creditedMicros = movedForDeposits(settlement, 'topup')
  if (creditedMicros > 0n) {
    const details = { amountMicros: creditedMicros.toString(), currency }
    const dedupeKey = `payment:${row.id}:${arrivedMicros}`
    await notify(tx, { ...common, kind: 'payment-credited', details, dedupeKey }, now)
    await raiseHook(tx, {
      userId,
      event: 'payment.credited',
      subject: `payment:${row.id}`,
      now,
      details: { transaction_id: payment, amount_micros: creditedMicros.toString(), currency },
    })
  }
  for (const { id, state, amount_micros: micros } of ended) {
    const details = { amountMicros: micros.toString(), currency, isWon: state === 'won' }
    await notify(tx, { ...common, kind: 'dispute-ended', details, dedupeKey: `dispute-ended:${id}` }, now)
  }
  if (after === 'disputed' && before !== 'disputed' && ended.length === 0) {
    const disputedMicros = sumOf(reversals, (one) => one.kind === 'dispute' && isTaken(one))
    const details = { amountMicros: disputedMicros.toString(), currency }
    const dedupeKey = `dispute:${row.id}:${reversals.length}`
    await notify(tx, { ...common, kind: 'payment-disputed', details, dedupeKey }, now)
  }
}
