import type { Db } from '#server/house/db/pool.ts'
import { lockAccount } from '#server/house/money/move-money.ts'
import { refuseShares, resumeShares, storeDecision } from './queries/decisions.ts'

/**
 * The decision of staff is final. Available shares stay; pending ones continue or are refused. Returns their sum in
 * micros of the referrer's currency, or null if nothing was counted.
 */
export async function decideInvitation(
  tx: Db,
  input: { userId: number; invitedId: number; state: 'cleared' | 'barred'; now: Date },
): Promise<bigint | null> {
  // The lock order is the same everywhere: the sums of an invitation change under the lock of the referrer's account.
  await lockAccount(tx, input.userId)
  const micros = input.state === 'barred' ? await refuseShares(tx, input.invitedId) : await resumeShares(tx, input)
  const isKnown = await storeDecision(tx, { ...input, lessMicros: input.state === 'barred' ? micros : 0n })
  return isKnown ? micros : null
}
