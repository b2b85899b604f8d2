import type { Db } from '#server/house/db/pool.ts'
import { lockAccount } from '#server/house/money/move-money.ts'
import { refuseShares, resumeShares, storeDecision } from './queries/decisions.ts'

/**
 * Stores the final decision of staff about an invited user. Available referral shares stay; pending shares continue or
 * are refused. Returns the sum of pending shares in micros, or null if none of the user's payments was counted.
 */
export async function decideInvitation(
  tx: Db,
  input: { userId: number; invitedId: number; state: 'cleared' | 'barred'; now: Date },
): Promise<bigint | null> {
  // The referrer's account is locked first, so that the lock order is always the same.
  await lockAccount(tx, input.userId)
  const micros = input.state === 'barred' ? await refuseShares(tx, input.invitedId) : await resumeShares(tx, input)
  const isKnown = await storeDecision(tx, { ...input, lessMicros: input.state === 'barred' ? micros : 0n })
  return isKnown ? micros : null
}
