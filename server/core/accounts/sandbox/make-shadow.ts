import type { Db } from '#server/house/db/pool.ts'
import { creditPlayMoney, openSandboxAccount, PLAY_NUMBERS_OPEN } from '#server/house/money/sandbox/play-money.ts'
import { insertShadow } from './queries.ts'

/**
 * Makes the sandbox's shadow account with the owner's first sandbox key; later sandbox keys share it. `most` is the
 * owner's limit of open numbers, null for none.
 */
export async function makeShadow(tx: Db, input: { ownerId: number; most: number | null; now: Date }): Promise<void> {
  const userId = await insertShadow(tx, input)
  if (userId === null) return
  const openNumbers = Math.min(input.most ?? PLAY_NUMBERS_OPEN, PLAY_NUMBERS_OPEN)
  await openSandboxAccount(tx, { userId, like: input.ownerId, openNumbers })
  await creditPlayMoney(tx, { userId, now: input.now })
}
