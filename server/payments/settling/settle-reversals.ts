import type { SeenReversal } from '#server/gateways/gateway.ts'
import {
  insertReversal,
  listReversals,
  type ReversalRow,
  type ReversalState,
  updateReversal,
} from '#server/payments/queries/money.ts'
import { add, type Run } from './run.ts'

/** Returns the reversals as they are now. Their shares of bonus and fee are not levelled yet. */
export async function settleReversals(run: Run, seenReversals: readonly SeenReversal[]): Promise<ReversalRow[]> {
  const rows = await listReversals(run.tx, run.row.id)
  for (const seen of seenReversals) {
    const row = rows.find((one) => one.kind === seen.kind && one.provider_id === seen.providerId) ?? adopt(rows, seen)
    if (row === undefined) {
      if (isTaken(seen)) rows.push(await insertSeen(run, seen))
    } else if ((row.state !== seen.state || row.provider_id === null) && !isFinal(row.state)) {
      await updateReversal(run.tx, { id: row.id, state: seen.state, providerId: seen.providerId, now: run.now })
      if (isTaken(row) && !isTaken(seen)) giveBack(run, row)
      rows[rows.indexOf(row)] = { ...row, state: seen.state, provider_id: seen.providerId }
    }
  }
  return rows
}

/**
 * A refund of ours that the gateway tells of before it has answered, by the reference it was asked with; or one that staff made
 * there by hand and noted, which has no reference.
 */
function adopt(rows: readonly ReversalRow[], seen: SeenReversal): ReversalRow | undefined {
  if (seen.kind !== 'refund') return undefined
  const unknown = rows.filter(({ kind, provider_id: providerId }) => kind === 'refund' && providerId === null)
  if (seen.reference !== undefined) return unknown.find(({ id }) => id.toString() === seen.reference)
  return unknown.find(({ state, amount_micros: micros }) => state === 'done' && micros === seen.amountMicros)
}

async function insertSeen(run: Run, seen: SeenReversal): Promise<ReversalRow> {
  const { tx, row, now } = run
  const { kind, state, providerId, amountMicros } = seen
  const reversal = await insertReversal(tx, {
    ...{ paymentId: row.id, gatewayId: row.gateway_id, kind, state, providerId },
    ...{ amountMicros, currency: row.currency, now },
  })
  takeBack(run, reversal)
  return reversal
}

export function takeBack(run: Run, { id: reversalId, kind, amount_micros: micros }: ReversalRow): void {
  add(run, { kind: kind === 'refund' ? 'payment_refund' : 'dispute', micros, paymentId: run.row.id, reversalId })
}

/** With its shares: those of the reversals that stand are levelled afterwards. */
function giveBack(run: Run, { id: reversalId, ...row }: ReversalRow): void {
  const of = { paymentId: run.row.id, reversalId }
  add(run, { kind: row.kind === 'refund' ? 'payment_refund_failed' : 'dispute_won', micros: row.amount_micros, ...of })
  add(run, { kind: 'bonus', micros: row.bonus_micros, ...of })
  add(run, { kind: 'fee', micros: row.fee_micros, ...of })
}

export const isTaken = ({ state }: { state: ReversalState }): boolean => state !== 'failed' && state !== 'won'
export const isAwaited = ({ state }: { state: ReversalState }): boolean => state === 'asked' || state === 'open'
/** A refund that was done can still fail at the payer's bank; the others stay as they ended. */
const isFinal = (state: ReversalState): boolean => state === 'failed' || state === 'won' || state === 'lost'

export function sumOf(rows: readonly ReversalRow[], counts: (row: ReversalRow) => boolean): bigint {
  return rows.filter(counts).reduce((sum, { amount_micros: micros }) => sum + micros, 0n)
}
