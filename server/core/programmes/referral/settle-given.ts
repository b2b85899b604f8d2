import { untilWholeCent } from '#contract/formats/payment-terms.ts'
import type { Move } from '#server/house/money/move-money.ts'
import { changeOf } from '#server/house/money/movement-kinds.ts'
import type { SettledShare } from './queries/settle.ts'

export type ShareRun = { moves: Move[]; availableMicros: bigint; referralMicros: bigint; debtMicros: bigint }

/**
 * Makes the money given for a referral share equal to its value. Adds the move that gives what is missing, or takes
 * back the excess, to `run`.
 */
export function settleGiven(run: ShareRun, share: SettledShare): SettledShare {
  const wanted = share.state === 'available' ? share.due_micros : 0n
  const missing = wanted - share.given_micros
  if (missing === 0n) return share
  const referralShareId = share.id
  const idempotencyKey = `referral:${share.id}:${share.moves}`
  if (missing > 0n) add(run, { kind: 'referral', micros: missing, referralShareId, idempotencyKey })
  else takeBack(run, { micros: -missing, referralShareId, idempotencyKey })
  return { ...share, given_micros: wanted, moves: share.moves + 1 }
}

/**
 * Returns the micros to take from the balance when referral earnings do not cover what is taken back. The amount is in
 * whole cents, as withdrawals are; fractions stay on `referral`. Rounding causes no debt, because it at most empties
 * the balance.
 */
export function balanceToRecall(
  backMicros: bigint,
  { referralMicros, availableMicros }: Pick<ShareRun, 'referralMicros' | 'availableMicros'>,
): bigint {
  const missing = backMicros - referralMicros
  if (missing <= 0n) return 0n
  const rounded = missing + untilWholeCent(missing)
  return missing <= availableMicros && availableMicros < rounded ? availableMicros : rounded
}

/**
 * Takes money back first from earnings that were not withdrawn, then from the balance; the remainder becomes a debt.
 */
function takeBack(
  run: ShareRun,
  { micros, referralShareId, idempotencyKey }: { micros: bigint; referralShareId: bigint; idempotencyKey: string },
): void {
  const recalled = balanceToRecall(micros, run)
  if (recalled > 0n) {
    const owed = recalled - run.availableMicros
    if (owed > 0n) add(run, { kind: 'debt', micros: owed, referralShareId })
    add(run, { kind: 'referral_recall', micros: recalled, referralShareId })
  }
  add(run, { kind: 'referral_back', micros, referralShareId, idempotencyKey })
}

function add(run: ShareRun, move: Move): void {
  run.moves.push(move)
  run.availableMicros += changeOf(move.kind, 'available', move.micros)
  run.referralMicros += changeOf(move.kind, 'referral', move.micros)
  run.debtMicros -= changeOf(move.kind, 'debt', move.micros)
}
