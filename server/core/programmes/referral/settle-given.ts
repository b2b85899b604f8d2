import { untilWholeCent } from '#contract/formats/payment-terms.ts'
import type { Move } from '#server/house/money/move-money.ts'
import { changeOf } from '#server/house/money/movement-kinds.ts'
import type { SettledShare } from './queries/settle.ts'

/** What one transaction does to the referrer's account: the movements so far, and what they leave. */
export type ShareRun = { moves: Move[]; availableMicros: bigint; referralMicros: bigint; debtMicros: bigint }

/** Gives what an available share is worth and was not given, or takes back what it is worth no more. */
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
 * What is taken from the balance when this much goes back. Withdrawals are of whole cents, and so is this: parts of a cent stay on
 * `referral`, for the next withdrawal. Rounding alone makes nobody owe anything: who has what is missing gives no more than he has.
 */
export function recallOf(
  backMicros: bigint,
  { referralMicros, availableMicros }: Pick<ShareRun, 'referralMicros' | 'availableMicros'>,
): bigint {
  const missing = backMicros - referralMicros
  if (missing <= 0n) return 0n
  const rounded = missing + untilWholeCent(missing)
  return missing <= availableMicros && availableMicros < rounded ? availableMicros : rounded
}

/** First from what was earned and not withdrawn, then from what is available; the rest becomes a debt. */
function takeBack(
  run: ShareRun,
  { micros, referralShareId, idempotencyKey }: { micros: bigint; referralShareId: bigint; idempotencyKey: string },
): void {
  const recalled = recallOf(micros, run)
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
