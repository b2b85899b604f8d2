import { bonusOf, feeOf, untilWholeCent } from '#contract/formats/payment-terms.ts'
import type { PaymentState } from '#contract/payment.ts'
import type { Db } from '#server/db/pool.ts'
import type { ArrivedDeposit, PaymentFacts, SeenReversal } from '#server/gateways/gateway.ts'
import { type AccountState, lockAccount, type Move, moveMoney } from '#server/money/move-money.ts'
import { changeOf } from '#server/money/movement-kinds.ts'
import { ruleBonusOf } from './bonus-rules.ts'
import { nextCheckAt } from './check-times.ts'
import { decideState } from './decide-state.ts'
import {
  insertDeposit,
  insertReversal,
  listReversals,
  type ReversalRow,
  type ReversalState,
  sumArrived,
  updateReversal,
} from './queries/money.ts'
import { lockPayment, type PaymentRow, storeSettled } from './queries/payments.ts'

/** Keyed, so that a stolen table names nobody. */
type HashPayer = (payer: string) => Buffer

export type Settled = { row: PaymentRow; before: PaymentState; availableMicros: bigint; hasMoved: boolean }

/** What one settlement does to one account: the movements so far, and what they leave. */
type Run = { tx: Db; row: PaymentRow; now: Date; moves: Move[]; availableMicros: bigint; debtMicros: bigint }

/**
 * Makes the books say what is true of a payment, in the caller's transaction. The same facts twice change nothing.
 * Locks the payment, then the account. Null when there is no such payment.
 */
export async function settlePayment(
  tx: Db,
  input: {
    id: bigint
    facts: PaymentFacts
    now: Date
    credit?: 'topup' | 'voucher'
    leastPauseMs?: number | undefined
    hashPayer?: HashPayer
  },
): Promise<Settled | null> {
  const { facts, now, credit = 'topup', leastPauseMs } = input
  const row = await lockPayment(tx, input.id)
  if (row === null) return null
  const account = await lockAccount(tx, row.user_id)
  const run = beginRun(tx, { row, account, now })
  const known = await sumArrived(tx, row.id)
  const { hashPayer } = input
  const arrivedMicros = await creditDeposits(run, { facts, credit, hashPayer, before: known.arrivedMicros })
  const { bonusMicros } = known
  const reversals = await settleReversals(run, { seen: facts.reversals, arrivedMicros, bonusMicros })
  if (!known.hadBonus && arrivedMicros >= row.amount_micros)
    await creditBonus(run, arrivedMicros - sumOf(reversals, isTaken))
  const availableMicros = await applyMoves(run, account)
  const state = decideState({
    ...{ state: row.state, amountMicros: row.amount_micros, progress: facts.progress, arrivedMicros },
    refundedMicros: sumOf(reversals, ({ kind, state }) => kind === 'refund' && state !== 'failed'),
    disputedMicros: sumOf(reversals, ({ kind, state }) => kind === 'dispute' && state !== 'won'),
    isOver: row.expires_at <= now,
  })
  const isWhole = arrivedMicros >= row.amount_micros || state === 'refunded'
  const settled = await storeSettled(tx, {
    ...{ id: row.id, state, now, confirmations: facts.confirmations ?? null },
    paidAt: row.paid_at ?? (isWhole ? now : null),
    nextCheckAt: nextCheckAt({ ...row, state }, now, { awaitsReversal: reversals.some(isAwaited), leastPauseMs }),
  })
  return { row: settled, before: row.state, availableMicros, hasMoved: run.moves.length > 0 }
}

/** Pays back: the money leaves the account before the gateway is asked, so that nobody spends it meanwhile. */
export async function takeForRefund(
  tx: Db,
  input: { id: bigint; amountMicros: bigint; state: 'asked' | 'done'; now: Date },
): Promise<
  { outcome: 'taken'; reversal: ReversalRow; row: PaymentRow } | { outcome: 'spent' | 'too-much' | 'unknown' }
> {
  const { amountMicros, now } = input
  const row = await lockPayment(tx, input.id)
  if (row === null) return { outcome: 'unknown' }
  const account = await lockAccount(tx, row.user_id)
  const [{ arrivedMicros, bonusMicros }, reversals] = [await sumArrived(tx, row.id), await listReversals(tx, row.id)]
  const reversedMicros = sumOf(reversals, isTaken)
  if (reversedMicros + amountMicros > arrivedMicros) return { outcome: 'too-much' }
  const bonusBack = bonusShare({ bonusMicros, arrivedMicros, reversedMicros: reversedMicros + amountMicros, reversals })
  if (amountMicros + bonusBack > account.availableMicros) return { outcome: 'spent' }
  const run = beginRun(tx, { row, account, now })
  const reversal = await insertReversal(tx, {
    ...{ paymentId: row.id, gatewayId: row.gateway_id, kind: 'refund', state: input.state, providerId: null },
    ...{ amountMicros, bonusMicros: bonusBack, currency: row.currency, now },
  })
  takeBack(run, reversal)
  await applyMoves(run, account)
  const isWhole = reversedMicros + amountMicros >= arrivedMicros
  const state = isWhole && row.state !== 'disputed' ? 'refunded' : row.state
  const paidAt = row.paid_at ?? now
  const awaitsReversal = reversals.some(isAwaited) || input.state === 'asked'
  const next = nextCheckAt({ ...row, state }, now, { awaitsReversal })
  const settled = await storeSettled(tx, { ...row, state, paidAt, now, nextCheckAt: next })
  return { outcome: 'taken', reversal, row: settled }
}

function beginRun(tx: Db, { row, account, now }: { row: PaymentRow; account: AccountState; now: Date }): Run {
  const { availableMicros, debtMicros } = account
  return { tx, row, now, moves: [], availableMicros, debtMicros }
}

function add(run: Run, move: Move): void {
  if (move.micros === 0n) return
  run.moves.push(move)
  run.availableMicros += changeOf(move.kind, 'available', move.micros)
  run.debtMicros -= changeOf(move.kind, 'debt', move.micros)
}

/** What is owed is paid first by whatever has come in. */
async function applyMoves(run: Run, account: AccountState): Promise<bigint> {
  const owed = run.debtMicros < run.availableMicros ? run.debtMicros : run.availableMicros
  if (run.moves.length > 0) add(run, { kind: 'repayment', micros: owed })
  if (run.moves.length === 0) return account.availableMicros
  return moveMoney(run.tx, { userId: run.row.user_id, at: run.now, moves: run.moves })
}

/** Returns the micros that have arrived so far. */
async function creditDeposits(
  run: Run,
  {
    facts,
    credit,
    hashPayer,
    before,
  }: {
    facts: PaymentFacts
    credit: 'topup' | 'voucher'
    hashPayer: HashPayer | undefined
    before: bigint
  },
): Promise<bigint> {
  const { tx, row, now } = run
  let arrived = before
  for (const seen of facts.deposits) {
    const { providerId, amountMicros } = seen.isTotal === true ? newOfTotal(seen, arrived) : seen
    if (seen.isTotal === true && amountMicros <= 0n) continue
    const { id: paymentId, gateway_id: gatewayId, currency } = row
    const payerHash = seen.payer === undefined ? null : (hashPayer?.(seen.payer) ?? null)
    const deposit = { paymentId, gatewayId, providerId, amountMicros, currency, payerHash, now }
    const depositId = await insertDeposit(tx, deposit)
    if (depositId === null) continue
    arrived += amountMicros
    add(run, { kind: credit, micros: amountMicros, paymentId, depositId, idempotencyKey: `deposit:${depositId}` })
    if (credit === 'topup') add(run, { kind: 'rounding', micros: untilWholeCent(amountMicros), paymentId, depositId })
    const fee = feeOf(amountMicros, BigInt(row.fee_points))
    add(run, { kind: 'fee', micros: fee, paymentId, depositId })
  }
  return arrived
}

/** The payment is locked, so an older total that is told later finds nothing new. */
function newOfTotal({ providerId, amountMicros }: ArrivedDeposit, arrivedMicros: bigint): ArrivedDeposit {
  return { providerId: `${providerId}:${amountMicros}`, amountMicros: amountMicros - arrivedMicros }
}

/** For what was asked, not for what came beyond it; once, and only while the whole sum is here. */
async function creditBonus(run: Run, keptMicros: bigint): Promise<void> {
  const { id: paymentId, amount_micros: micros, bonus_points: points } = run.row
  // The rule's is this payment's from now on, also where it has to wait for a dispute.
  const ofRule = await ruleBonusOf(run.tx, run.row, run.now)
  if (keptMicros >= micros) add(run, { kind: 'bonus', micros: bonusOf(micros, BigInt(points)) + ofRule, paymentId })
}

/** Returns the reversals as they are now. */
async function settleReversals(
  run: Run,
  known: { seen: readonly SeenReversal[]; arrivedMicros: bigint; bonusMicros: bigint },
): Promise<ReversalRow[]> {
  const rows = await listReversals(run.tx, run.row.id)
  for (const seen of known.seen) {
    const row = rows.find((one) => one.kind === seen.kind && one.provider_id === seen.providerId) ?? adopt(rows, seen)
    if (row === undefined) {
      if (!isTaken(seen)) continue
      rows.push(await insertSeen(run, seen, { ...known, reversals: rows }))
    } else if ((row.state !== seen.state || row.provider_id === null) && !isFinal(row.state)) {
      await updateReversal(run.tx, { id: row.id, state: seen.state, providerId: seen.providerId, now: run.now })
      if (isTaken(row) && !isTaken(seen)) giveBack(run, row)
      rows[rows.indexOf(row)] = { ...row, state: seen.state, provider_id: seen.providerId }
    }
  }
  return rows
}

/** A refund of ours that the gateway tells of before it has answered, or that staff made there by hand. */
function adopt(rows: readonly ReversalRow[], seen: SeenReversal): ReversalRow | undefined {
  if (seen.kind !== 'refund') return undefined
  return rows.find(
    ({ kind, state, provider_id: providerId, amount_micros: micros }) =>
      kind === 'refund' && state !== 'failed' && providerId === null && micros === seen.amountMicros,
  )
}

async function insertSeen(
  run: Run,
  seen: SeenReversal,
  known: { arrivedMicros: bigint; bonusMicros: bigint; reversals: readonly ReversalRow[] },
): Promise<ReversalRow> {
  const { tx, row, now } = run
  const reversedMicros = sumOf(known.reversals, isTaken) + seen.amountMicros
  const bonusMicros = bonusShare({ ...known, reversedMicros })
  const { kind, state, providerId, amountMicros } = seen
  const reversal = await insertReversal(tx, {
    ...{ paymentId: row.id, gatewayId: row.gateway_id, kind, state, providerId },
    ...{ amountMicros, bonusMicros, currency: row.currency, now },
  })
  takeBack(run, reversal)
  return reversal
}

/** The share of the bonus that belongs to what went back, less what was taken before. */
function bonusShare(known: {
  arrivedMicros: bigint
  reversedMicros: bigint
  bonusMicros: bigint
  reversals: readonly ReversalRow[]
}): bigint {
  const { arrivedMicros, bonusMicros, reversals } = known
  if (arrivedMicros === 0n) return 0n
  const reversed = known.reversedMicros < arrivedMicros ? known.reversedMicros : arrivedMicros
  const due = (bonusMicros * reversed + arrivedMicros - 1n) / arrivedMicros
  const taken = reversals.filter(isTaken).reduce((sum, row) => sum + row.bonus_micros, 0n)
  return due > taken ? due - taken : 0n
}

/** What is not there becomes a debt first. */
function takeBack(run: Run, { id: reversalId, kind, amount_micros: micros, bonus_micros: bonus }: ReversalRow): void {
  const { id: paymentId } = run.row
  const missing = micros + bonus - run.availableMicros
  if (missing > 0n) add(run, { kind: 'debt', micros: missing, paymentId, reversalId })
  add(run, { kind: kind === 'refund' ? 'payment_refund' : 'dispute', micros, paymentId, reversalId })
  add(run, { kind: 'bonus_back', micros: bonus, paymentId, reversalId })
}

function giveBack(run: Run, { id: reversalId, kind, amount_micros: micros, bonus_micros: bonus }: ReversalRow): void {
  const { id: paymentId } = run.row
  const back = kind === 'refund' ? 'payment_refund_failed' : 'dispute_won'
  add(run, { kind: back, micros, paymentId, reversalId })
  add(run, { kind: 'bonus', micros: bonus, paymentId, reversalId })
}

const isTaken = ({ state }: { state: ReversalState }): boolean => state !== 'failed' && state !== 'won'
const isAwaited = ({ state }: { state: ReversalState }): boolean => state === 'asked' || state === 'open'
/** A refund that was done can still fail at the payer's bank; the others stay as they ended. */
const isFinal = (state: ReversalState): boolean => state === 'failed' || state === 'won' || state === 'lost'

function sumOf(rows: readonly ReversalRow[], counts: (row: ReversalRow) => boolean): bigint {
  return rows.filter(counts).reduce((sum, { amount_micros: micros }) => sum + micros, 0n)
}
