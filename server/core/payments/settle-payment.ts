import { bonusOf, feeOf, wholeCents } from '#contract/formats/payment-terms.ts'
import { MINUTE } from '#contract/time.ts'
import type { ArrivedDeposit, PaymentFacts } from '#server/core/gateways/gateway.ts'
import type { Db } from '#server/house/db/pool.ts'
import { lockAccount } from '#server/house/money/move-money.ts'
import { ruleBonusOf } from './bonus-rules.ts'
import { nextCheckAt } from './check-times.ts'
import { decideState } from './decide-state.ts'
import { hasLeft, insertDeposit, listKnownDeposits, sumArrived } from './queries/money.ts'
import { lockPayment, type PaymentRow, storeSettled } from './queries/payments.ts'
import { levelShares } from './settling/level-shares.ts'
import { isAwaited, isTaken, settleReversals, sumOf } from './settling/settle-reversals.ts'
import { add, applyMoves, beginSettlement, movedForDeposits, type Settlement } from './settling/settlement.ts'
import { tellPayer } from './settling/tell-payer.ts'

/** The hash of a payer is keyed, so that a stolen table identifies nobody. */
type HashPayer = (payer: string) => Buffer

export type Settled = { row: PaymentRow; hasChanged: boolean; availableMicros: bigint; hasMoved: boolean }

/** Settles a payment by the gateway's facts; repeated facts change nothing. Locks the payment, then the account. */
export async function settlePayment(
  tx: Db,
  input: {
    id: bigint
    facts: PaymentFacts
    now: Date
    credit?: 'topup' | 'voucher'
    leastPauseMs?: number | undefined
    isAskedAgain?: boolean
    hashPayer?: HashPayer
  },
): Promise<Settled | null> {
  const { facts, now, credit = 'topup', leastPauseMs } = input
  const row = await lockPayment(tx, input.id)
  if (row === null) return null
  const account = await lockAccount(tx, row.user_id)
  const settlement = beginSettlement(tx, { row, account, now })
  const known = await sumArrived(tx, row.id)
  const { hashPayer } = input
  const arrivedMicros = await creditDeposits(settlement, { facts, credit, hashPayer, before: known })
  const { reversals, ended } = await settleReversals(settlement, { seen: facts.reversals, arrivedMicros })
  if (!known.hadBonus && arrivedMicros >= row.amount_micros)
    await creditBonus(settlement, arrivedMicros - sumOf(reversals, isTaken))
  const bonusMicros = known.bonusMicros + movedForDeposits(settlement, 'bonus')
  const feeMicros = known.feeMicros + movedForDeposits(settlement, 'fee')
  await levelShares(settlement, reversals, { arrivedMicros, bonusMicros, feeMicros })
  const availableMicros = await applyMoves(settlement, account)
  const state = decideState({
    state: row.state,
    amountMicros: row.amount_micros,
    progress: facts.progress,
    arrivedMicros,
    refundedMicros: sumOf(reversals, ({ kind, state }) => kind === 'refund' && state !== 'failed'),
    disputedMicros: sumOf(reversals, ({ kind, state }) => kind === 'dispute' && state !== 'won'),
    isOver: row.expires_at <= now,
  })
  const isMoreComing = facts.progress === 'confirming' && arrivedMicros > 0n
  const isWhole = arrivedMicros >= row.amount_micros || state === 'refunded'
  const settled = await storeSettled(tx, {
    id: row.id,
    state,
    confirmations: facts.confirmations ?? null,
    paidAt: row.paid_at ?? (isWhole ? now : null),
    nextCheckAt:
      input.isAskedAgain === true
        ? new Date(now.getTime() + MINUTE)
        : nextCheckAt({ ...row, state }, now, {
            awaitsReversal: reversals.some(isAwaited),
            isMoreComing,
            leastPauseMs,
          }),
  })
  await tellPayer(tx, { settlement, before: row.state, after: settled.state, arrivedMicros, reversals, ended })
  const hasChanged = row.state !== settled.state || ended.length > 0
  return { row: settled, hasChanged, availableMicros, hasMoved: settlement.moves.length > 0 }
}

/**
 * Credits deposits in whole cents; a fraction waits for the next deposit. The fee is computed for the total, less the
 * fee already taken. Returns the micros credited so far.
 */
async function creditDeposits(
  settlement: Settlement,
  {
    facts,
    credit,
    hashPayer,
    before,
  }: {
    facts: PaymentFacts
    credit: 'topup' | 'voucher'
    hashPayer: HashPayer | undefined
    before: { arrivedMicros: bigint; restMicros: bigint; feeMicros: bigint }
  },
): Promise<bigint> {
  const { tx, row, now } = settlement
  let { arrivedMicros: arrived, restMicros: rest, feeMicros: taken } = before
  const { id: paymentId, gateway_id: gatewayId, currency } = row
  const known = await listKnownDeposits(tx, { gatewayId, providerIds: facts.deposits.map((seen) => seen.providerId) })
  for (const seen of facts.deposits) {
    const { providerId, amountMicros: worth } = seen.isTotal === true ? newOfTotal(seen, arrived + rest) : seen
    if (known.has(providerId) || (seen.isTotal === true && worth <= 0n)) continue
    const amountMicros = wholeCents(rest + worth)
    const restMicros = worth - amountMicros
    const payerHash = seen.payer === undefined ? null : (hashPayer?.(seen.payer) ?? null)
    const deposit = { paymentId, gatewayId, providerId, amountMicros, restMicros, currency, payerHash, now }
    const depositId = await insertDeposit(tx, deposit)
    if (depositId === null) continue
    arrived += amountMicros
    rest += restMicros
    add(settlement, {
      kind: credit,
      micros: amountMicros,
      paymentId,
      depositId,
      idempotencyKey: `deposit:${depositId}`,
    })
    const due = feeOf(arrived, BigInt(row.fee_points)) - taken
    // Earlier releases took fees in millionths, so the missing part of a fee may exceed a deposit of one cent.
    const fee = due < amountMicros ? due : amountMicros
    if (fee <= 0n) continue
    taken += fee
    add(settlement, { kind: 'fee', micros: fee, paymentId, depositId })
  }
  return arrived
}

/**
 * Returns the part of a reported total that is not credited yet. The payment is locked, so an outdated total adds
 * nothing.
 */
function newOfTotal({ providerId, amountMicros }: ArrivedDeposit, knownMicros: bigint): ArrivedDeposit {
  return { providerId: `${providerId}:${amountMicros}`, amountMicros: amountMicros - knownMicros }
}

/**
 * Credits the bonus once, for the requested amount without any excess, if that amount has arrived and not gone back.
 */
async function creditBonus(settlement: Settlement, keptMicros: bigint): Promise<void> {
  const { id: paymentId, user_id: userId, amount_micros: micros, bonus_points: points } = settlement.row
  if (await hasLeft(settlement.tx, userId)) return
  // The rule's bonus is reserved for this payment from now on, even if a dispute delays it.
  const ofRule = await ruleBonusOf(settlement.tx, settlement.row, settlement.now)
  if (keptMicros >= micros)
    add(settlement, { kind: 'bonus', micros: bonusOf(micros, BigInt(points)) + ofRule, paymentId })
}
