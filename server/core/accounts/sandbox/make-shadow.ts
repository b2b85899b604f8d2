import type { Db } from '#server/house/db/pool.ts'
import { creditPlayMoney, openSandboxAccount, PLAY_NUMBERS_OPEN } from '#server/house/money/sandbox/play-money.ts'
import { insertShadow } from './queries.ts'

/** In the transaction of a sandbox key. The account of the first one is the account of all. `most`: open numbers of any account; null: no limit. */
export async function makeShadow(tx: Db, input: { ownerId: number; most: number | null; now: Date }): Promise<void> {
  const userId = await insertShadow(tx, input)
  if (userId === null) return
  const openNumbers = Math.min(input.most ?? PLAY_NUMBERS_OPEN, PLAY_NUMBERS_OPEN)
  await openSandboxAccount(tx, { userId, like: input.ownerId, openNumbers })
  await creditPlayMoney(tx, { userId, now: input.now })
}
