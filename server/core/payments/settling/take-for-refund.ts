import { nextCheckAt } from '#server/core/payments/check-times.ts'
import { insertReversal, listReversals, type ReversalRow, sumArrived } from '#server/core/payments/queries/money.ts'
import { lockPayment, type PaymentRow, storeSettled } from '#server/core/payments/queries/payments.ts'
import type { Db } from '#server/house/db/pool.ts'
import { lockAccount } from '#server/house/money/move-money.ts'
import { levelShares, missingShares } from './level-shares.ts'
import { isAwaited, isTaken, sumOf, takeBack } from './settle-reversals.ts'
import { applyMoves, beginSettlement } from './settlement.ts'

type Along = { bonusMicros: bigint; feeMicros: bigint; availableMicros: bigint }

/**
 * Takes the money of a refund, with bonus and fee, before the gateway is called, so that nobody spends it meanwhile.
 * `availableMicros` is the balance before the refund.
 */
export async function takeForRefund(
  tx: Db,
  input: { id: bigint; amountMicros: bigint; state: 'asked' | 'done'; now: Date },
): Promise<
  | ({ outcome: 'taken'; reversal: ReversalRow; row: PaymentRow } & Along)
  | ({ outcome: 'spent' } & Along)
  | { outcome: 'too-much' | 'unknown' }
> {
  const { amountMicros, now } = input
  const row = await lockPayment(tx, input.id)
  if (row === null) return { outcome: 'unknown' }
  const account = await lockAccount(tx, row.user_id)
  const [arrived, before] = [await sumArrived(tx, row.id), await listReversals(tx, row.id)]
  const reversedMicros = sumOf(before, isTaken) + amountMicros
  if (reversedMicros > arrived.arrivedMicros) return { outcome: 'too-much' }
  const { bonus, fee } = missingShares(row.amount_micros, arrived, before, amountMicros)
  const along: Along = { bonusMicros: bonus, feeMicros: fee, availableMicros: account.availableMicros }
  if (amountMicros + bonus - fee > account.availableMicros) return { outcome: 'spent', ...along }
  const settlement = beginSettlement(tx, { row, account, now })
  const isWhole = reversedMicros >= arrived.arrivedMicros
  const reversal = await insertReversal(tx, {
    paymentId: row.id,
    gatewayId: row.gateway_id,
    kind: 'refund',
    state: input.state,
    providerId: null,
    amountMicros,
    currency: row.currency,
    isPart: !isWhole,
    now,
  })
  const reversals = [...before, reversal]
  takeBack(settlement, reversal)
  await levelShares(settlement, reversals, arrived)
  await applyMoves(settlement, account)
  const state = isWhole && row.state !== 'disputed' ? 'refunded' : row.state
  const next = nextCheckAt({ ...row, state }, now, { awaitsReversal: reversals.some(isAwaited) })
  // The unpaid part of a partial payment may still arrive, with its bonus.
  const paidAt = row.paid_at ?? (state === 'refunded' ? now : null)
  const settled = await storeSettled(tx, { ...row, state, paidAt, nextCheckAt: next })
  return { outcome: 'taken', reversal, row: settled, ...along }
}
