import type { Db } from '#server/house/db/pool.ts'
import { creditPlayMoney, openSandboxAccount, PLAY_NUMBERS_OPEN } from '#server/house/money/sandbox/play-money.ts'
import { insertShadow } from './queries.ts'

/**
 * The first sandbox key makes the shadow account that further keys share. A null `most` means no limit of open numbers.
 */
export async function makeShadow(tx: Db, input: { ownerId: number; most: number | null; now: Date }): Promise<void> {
  const userId = await insertShadow(tx, input)
  if (userId === null) return
  const openNumbers = Math.min(input.most ?? PLAY_NUMBERS_OPEN, PLAY_NUMBERS_OPEN)
  await openSandboxAccount(tx, { userId, like: input.ownerId, openNumbers })
  await creditPlayMoney(tx, { userId, now: input.now })
}
