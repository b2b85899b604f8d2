import { untilWholeCent, wholeCents } from '#contract/formats/payment-terms.ts'
import type { SeenReversal } from '#server/core/gateways/gateway.ts'
import {
  insertReversal,
  listReversals,
  type ReversalRow,
  type ReversalState,
  updateReversal,
} from '#server/core/payments/queries/money.ts'
import { add, type Settlement } from './settlement.ts'

/**
 * Settles and returns all reversals of a payment, and the disputes that just ended. Bonus and fee are corrected later.
 */
export async function settleReversals(
  settlement: Settlement,
  { seen: seenReversals, arrivedMicros }: { seen: readonly SeenReversal[]; arrivedMicros: bigint },
): Promise<{ reversals: ReversalRow[]; ended: ReversalRow[] }> {
  const rows = await listReversals(settlement.tx, settlement.row.id)
  const overBefore = new Set(rows.filter(({ state }) => isFinal(state)).map(({ id }) => id))
  for (const told of seenReversals) {
    // Deposits are credited in whole cents, so a fraction of a cent was never credited and is not taken back.
    const seen = { ...told, amountMicros: wholeCents(told.amountMicros) }
    const named = rows.filter((one) => one.kind === seen.kind && isNamed(one, seen))
    const adopted = named.length === 0 ? adopt(rows, seen) : undefined
    const own = adopted === undefined ? named : [adopted]
    for (const row of own) rows[rows.indexOf(row)] = await turn(settlement, row, seen)
    if (!isTaken(seen) || own.some(({ state }) => isFinal(state))) continue
    const isKnown = seen.isTotal !== true && own.length > 0
    const leftMicros = arrivedMicros - sumOf(rows, isTaken)
    const amountMicros =
      seen.isTotal === true ? missingOf(rows, { seen, arrivedMicros }) : withinCent(seen.amountMicros, leftMicros)
    if (isKnown || amountMicros <= 0n) continue
    const providerId = own.length === 0 ? seen.providerId : `${MORE}${own.length}:${seen.providerId}`
    rows.push(await insertSeen(settlement, { ...seen, providerId, amountMicros }))
  }
  const ended = rows.filter(({ id, kind, state }) => kind === 'dispute' && isFinal(state) && !overBefore.has(id))
  return { reversals: rows, ended }
}

/** The prefix of the id of an additional reversal, which is made when the total of one reversal grows. */
const MORE = 'more-'

function isNamed({ provider_id: id }: ReversalRow, { providerId, isTotal }: SeenReversal): boolean {
  if (id === null) return false
  return id === providerId || (isTotal === true && id.startsWith(MORE) && id.endsWith(`:${providerId}`))
}

/** Returns `leftMicros` if rounding it up to a cent gives `toldMicros`, the reported amount; else `toldMicros`. */
function withinCent(toldMicros: bigint, leftMicros: bigint): bigint {
  return leftMicros > 0n && leftMicros + untilWholeCent(leftMicros) === toldMicros ? leftMicros : toldMicros
}

function missingOf(
  rows: readonly ReversalRow[],
  { seen, arrivedMicros }: { seen: SeenReversal; arrivedMicros: bigint },
): bigint {
  const refunds = rows.filter((row) => row.kind === 'refund' && isTaken(row))
  if (refunds.length > 0 && refunds.every(({ is_part: isPart }) => isPart)) return 0n
  const most = seen.amountMicros < arrivedMicros ? seen.amountMicros : arrivedMicros
  return most - sumOf(rows, isTaken)
}

async function turn(
  settlement: Settlement,
  row: ReversalRow,
  { state, providerId }: SeenReversal,
): Promise<ReversalRow> {
  if ((row.state === state && row.provider_id !== null) || isFinal(row.state)) return row
  await updateReversal(settlement.tx, { id: row.id, state, providerId, now: settlement.now })
  const turned = { ...row, state, provider_id: row.provider_id ?? providerId }
  if (isTaken(row) && !isTaken(turned)) giveBack(settlement, row)
  return turned
}

/**
 * Finds the stored refund that a gateway reports. Our own is found by its reference, even before its answer. A refund
 * that staff made at the gateway is found by its amount.
 */
function adopt(rows: readonly ReversalRow[], seen: SeenReversal): ReversalRow | undefined {
  if (seen.kind !== 'refund') return undefined
  const unknown = rows.filter(({ kind, provider_id: providerId }) => kind === 'refund' && providerId === null)
  if (seen.reference !== undefined) return unknown.find(({ id }) => id.toString() === seen.reference)
  const noted = unknown.filter(({ state }) => state === 'done')
  return seen.isTotal === true ? noted[0] : noted.find(({ amount_micros: micros }) => micros === seen.amountMicros)
}

async function insertSeen(settlement: Settlement, seen: SeenReversal): Promise<ReversalRow> {
  const { tx, row, now } = settlement
  const { kind, state, providerId, amountMicros } = seen
  const reversal = await insertReversal(tx, {
    paymentId: row.id,
    gatewayId: row.gateway_id,
    kind,
    state,
    providerId,
    amountMicros,
    currency: row.currency,
    isPart: false,
    now,
  })
  takeBack(settlement, reversal)
  return reversal
}

export function takeBack(settlement: Settlement, { id: reversalId, kind, amount_micros: micros }: ReversalRow): void {
  add(settlement, {
    kind: kind === 'refund' ? 'payment_refund' : 'dispute',
    micros,
    paymentId: settlement.row.id,
    reversalId,
  })
}

/** Moves the amount, bonus and fee of a failed reversal back. Shares of other reversals are corrected later. */
function giveBack(settlement: Settlement, { id: reversalId, ...row }: ReversalRow): void {
  const of = { paymentId: settlement.row.id, reversalId }
  add(settlement, {
    kind: row.kind === 'refund' ? 'payment_refund_failed' : 'dispute_won',
    micros: row.amount_micros,
    ...of,
  })
  add(settlement, { kind: 'bonus', micros: row.bonus_micros, ...of })
  add(settlement, { kind: 'fee', micros: row.fee_micros, ...of })
}

export const isTaken = ({ state }: { state: ReversalState }): boolean => state !== 'failed' && state !== 'won'
export const isAwaited = ({ state }: { state: ReversalState }): boolean => state === 'asked' || state === 'open'
/** A completed refund can still fail at the payer's bank, so only failed, won and lost are final. */
const isFinal = (state: ReversalState): boolean => state === 'failed' || state === 'won' || state === 'lost'

export function sumOf(rows: readonly ReversalRow[], counts: (row: ReversalRow) => boolean): bigint {
  return rows.filter(counts).reduce((sum, { amount_micros: micros }) => sum + micros, 0n)
}
