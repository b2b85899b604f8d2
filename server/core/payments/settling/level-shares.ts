import { wholeCents } from '#contract/formats/payment-terms.ts'
import { type ReversalRow, storeShares } from '#server/core/payments/queries/money.ts'
import { add, type Run } from './run.ts'
import { isTaken, sumOf } from './settle-reversals.ts'

/** Of one payment, in micros: what arrived, the bonus that this brought and the fee that its payer bore. */
export type Arrived = { arrivedMicros: bigint; bonusMicros: bigint; feeMicros: bigint }
/** What goes back takes of the bonus, and gives back of the fee. */
type Shares = { bonus: bigint; fee: bigint }

/** What is still missing, or too much, in the shares of the reversals that stand, and of `moreMicros`. */
export function missingShares(
  askedMicros: bigint,
  arrived: Arrived,
  reversals: readonly ReversalRow[],
  moreMicros = 0n,
): Shares {
  const exact = exactShares(askedMicros, arrived, sumOf(reversals, isTaken) + moreMicros)
  const due = inCents(exact, arrived)
  const taken = reversals
    .filter(isTaken)
    .reduce((sum, row) => ({ bonus: sum.bonus + row.bonus_micros, fee: sum.fee + row.fee_micros }), NONE)
  // Earlier releases took millionths: what they levelled is level.
  return {
    bonus: taken.bonus === exact.bonus ? 0n : due.bonus - taken.bonus,
    fee: taken.fee === exact.fee ? 0n : due.fee - taken.fee,
  }
}

const NONE: Shares = { bonus: 0n, fee: 0n }

/** The bonus was for what was asked: what goes back of more than that takes nothing of it. */
function exactShares(
  askedMicros: bigint,
  { arrivedMicros, bonusMicros, feeMicros }: Arrived,
  reversedMicros: bigint,
): Shares {
  if (arrivedMicros === 0n) return NONE
  const kept = arrivedMicros > reversedMicros ? arrivedMicros - reversedMicros : 0n
  const rewarded = kept < askedMicros ? kept : askedMicros
  return {
    bonus: bonusMicros - (bonusMicros * rewarded) / askedMicros,
    fee: (feeMicros * (arrivedMicros - kept)) / arrivedMicros,
  }
}

/**
 * Rounded for the house; but all of a fee comes back, or a whole refund would leave a debt. Earlier releases gave bonuses
 * and took fees in millionths: rounded shares of those would leave a debt of a part of a cent.
 */
function inCents({ bonus, fee }: Shares, { bonusMicros, feeMicros }: Arrived): Shares {
  return {
    bonus: isOfCents(bonusMicros) ? bonusMicros - wholeCents(bonusMicros - bonus) : bonus,
    fee: isOfCents(feeMicros) && fee !== feeMicros ? wholeCents(fee) : fee,
  }
}

const isOfCents = (micros: bigint): boolean => micros === wholeCents(micros)

/**
 * Makes the shares of the reversals that stand what is due for all of them together, whatever came in which order: the newest
 * take what is missing, and give back what is too much.
 */
export async function levelShares(run: Run, reversals: readonly ReversalRow[], arrived: Arrived): Promise<void> {
  const left = missingShares(run.row.amount_micros, arrived, reversals)
  for (const row of reversals.filter(isTaken).toReversed()) {
    const bonus = atLeast(left.bonus, -row.bonus_micros)
    const fee = atLeast(left.fee, -row.fee_micros)
    if (bonus === 0n && fee === 0n) continue
    left.bonus -= bonus
    left.fee -= fee
    const of = { paymentId: run.row.id, reversalId: row.id }
    add(run, { kind: bonus > 0n ? 'bonus_back' : 'bonus', micros: sizeOf(bonus), ...of })
    add(run, { kind: fee > 0n ? 'fee_back' : 'fee', micros: sizeOf(fee), ...of })
    await storeShares(run.tx, {
      id: row.id,
      bonusMicros: row.bonus_micros + bonus,
      feeMicros: row.fee_micros + fee,
    })
  }
}

function atLeast(micros: bigint, least: bigint): bigint {
  return micros < least ? least : micros
}

function sizeOf(micros: bigint): bigint {
  return micros < 0n ? -micros : micros
}
