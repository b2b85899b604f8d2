import type { Db } from '#server/house/db/pool.ts'
import { creditPlayMoney, openSandboxAccount, PLAY_NUMBERS_OPEN } from '#server/house/money/sandbox/play-money.ts'
import { insertShadow } from './queries.ts'

/**
 * Makes the shadow account of an owner, in the transaction of the first sandbox key; further keys share it. `most` is
 * the limit of open numbers of any account; null means no limit.
 */
export async function makeShadow(tx: Db, input: { ownerId: number; most: number | null; now: Date }): Promise<void> {
  const userId = await insertShadow(tx, input)
  if (userId === null) return
  const openNumbers = Math.min(input.most ?? PLAY_NUMBERS_OPEN, PLAY_NUMBERS_OPEN)
  await openSandboxAccount(tx, { userId, like: input.ownerId, openNumbers })
  await creditPlayMoney(tx, { userId, now: input.now })
}
