import { type ReversalRow, storeShares } from '#server/payments/queries/money.ts'
import { add, type Run } from './run.ts'
import { isTaken, sumOf } from './settle-reversals.ts'

/** Of one payment, in micros: what arrived, and the bonus that this brought. */
export type Arrived = { arrivedMicros: bigint; bonusMicros: bigint }

/** What is still missing, or too much, in the shares of the reversals that stand. */
export function missingShares(
  askedMicros: bigint,
  arrived: Arrived,
  reversals: readonly ReversalRow[],
  moreMicros = 0n,
): { bonus: bigint } {
  const standing = reversals.filter(isTaken)
  const due = dueShares(askedMicros, arrived, sumOf(standing, isTaken) + moreMicros)
  return { bonus: due.bonus - standing.reduce((sum, row) => sum + row.bonus_micros, 0n) }
}

/** The bonus was for what was asked: what goes back of more than that takes nothing of it. Rounded for the house. */
function dueShares(
  askedMicros: bigint,
  { arrivedMicros, bonusMicros }: Arrived,
  reversedMicros: bigint,
): { bonus: bigint } {
  const kept = arrivedMicros > reversedMicros ? arrivedMicros - reversedMicros : 0n
  const rewarded = kept < askedMicros ? kept : askedMicros
  return { bonus: bonusMicros - (bonusMicros * rewarded) / askedMicros }
}

/**
 * Makes the shares of the reversals that stand what is due for all of them together, whatever came in which order: the newest
 * take what is missing, and give back what is too much.
 */
export async function levelShares(run: Run, reversals: readonly ReversalRow[], arrived: Arrived): Promise<void> {
  const left = missingShares(run.row.amount_micros, arrived, reversals)
  for (const row of reversals.filter(isTaken).toReversed()) {
    const bonus = atLeast(left.bonus, -row.bonus_micros)
    if (bonus === 0n) continue
    left.bonus -= bonus
    const of = { paymentId: run.row.id, reversalId: row.id }
    add(run, { kind: bonus > 0n ? 'bonus_back' : 'bonus', micros: bonus > 0n ? bonus : -bonus, ...of })
    await storeShares(run.tx, { id: row.id, bonusMicros: row.bonus_micros + bonus })
  }
}

function atLeast(micros: bigint, least: bigint): bigint {
  return micros < least ? least : micros
}
