import { wholeCents } from '#contract/formats/payment-terms.ts'
import { type ReversalRow, storeShares } from '#server/core/payments/queries/money.ts'
import { isTaken, sumOf } from './settle-reversals.ts'
import { add, type Settlement } from './settlement.ts'

/** The totals of one payment in micros: the arrived money, its bonus, and the fee borne by its payer. */
export type Arrived = { arrivedMicros: bigint; bonusMicros: bigint; feeMicros: bigint }
type Shares = { bonus: bigint; fee: bigint }

/**
 * Returns the bonus still to take back, and the fee still to return, for all reversals of a payment. A negative value
 * means that too much was moved. `moreMicros` is an amount not in `reversals` yet.
 */
export function missingShares(
  askedMicros: bigint,
  arrived: Arrived,
  reversals: readonly ReversalRow[],
  moreMicros = 0n,
): Shares {
  const exact = exactShares(askedMicros, arrived, sumOf(reversals, isTaken) + moreMicros)
  const due = roundShares(exact, arrived)
  const taken = reversals
    .filter(isTaken)
    .reduce((sum, row) => ({ bonus: sum.bonus + row.bonus_micros, fee: sum.fee + row.fee_micros }), NONE)
  // Earlier releases computed shares in millionths; shares that are exact in millionths are left alone.
  return {
    bonus: taken.bonus === exact.bonus ? 0n : due.bonus - taken.bonus,
    fee: taken.fee === exact.fee ? 0n : due.fee - taken.fee,
  }
}

const NONE: Shares = { bonus: 0n, fee: 0n }

/** Returns unrounded shares. Reversing only the excess takes no bonus, which was for the requested amount. */
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
 * Rounds shares in our favour. A whole fee stays exact, because a full refund must not leave a debt. Amounts that
 * earlier releases booked in millionths stay exact too.
 */
function roundShares({ bonus, fee }: Shares, { bonusMicros, feeMicros }: Arrived): Shares {
  return {
    bonus: isOfCents(bonusMicros) ? bonusMicros - wholeCents(bonusMicros - bonus) : bonus,
    fee: isOfCents(feeMicros) && fee !== feeMicros ? wholeCents(fee) : fee,
  }
}

const isOfCents = (micros: bigint): boolean => micros === wholeCents(micros)

/** Corrects the bonus taken back and the fee returned for a payment's reversals, beginning with the newest reversal. */
export async function levelShares(
  settlement: Settlement,
  reversals: readonly ReversalRow[],
  arrived: Arrived,
): Promise<void> {
  const left = missingShares(settlement.row.amount_micros, arrived, reversals)
  for (const row of reversals.filter(isTaken).toReversed()) {
    const bonus = atLeast(left.bonus, -row.bonus_micros)
    const fee = atLeast(left.fee, -row.fee_micros)
    if (bonus === 0n && fee === 0n) continue
    left.bonus -= bonus
    left.fee -= fee
    const of = { paymentId: settlement.row.id, reversalId: row.id }
    add(settlement, { kind: bonus > 0n ? 'bonus_back' : 'bonus', micros: sizeOf(bonus), ...of })
    add(settlement, { kind: fee > 0n ? 'fee_back' : 'fee', micros: sizeOf(fee), ...of })
    await storeShares(settlement.tx, {
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
