import type { Db } from '#server/house/db/pool.ts'
import { lockAccount } from '#server/house/money/move-money.ts'
import { refuseShares, resumeShares, storeDecision } from './queries/decisions.ts'

/**
 * What staff found, for good. What has become available stays: only what is pending goes on or is refused.
 * Returns how much that is, in micros of the referrer's currency; null when nothing was counted of this person.
 */
export async function decideInvitation(
  tx: Db,
  input: { userId: number; invitedId: number; state: 'cleared' | 'barred'; now: Date },
): Promise<bigint | null> {
  // In this order everywhere: the sums of an invitation change under the lock of its referrer's account.
  await lockAccount(tx, input.userId)
  const micros = input.state === 'barred' ? await refuseShares(tx, input.invitedId) : await resumeShares(tx, input)
  const isKnown = await storeDecision(tx, { ...input, lessMicros: input.state === 'barred' ? micros : 0n })
  return isKnown ? micros : null
}
