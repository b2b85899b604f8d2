import type { Db } from '#server/db/pool.ts'
import { creditPlayMoney, openSandboxAccount } from '#server/money/sandbox/play-money.ts'
import { insertShadow } from './queries.ts'

/** In the transaction of a sandbox key. The account of the first one is the account of all. */
export async function makeShadow(tx: Db, input: { ownerId: number; now: Date }): Promise<void> {
  const userId = await insertShadow(tx, input)
  if (userId === null) return
  await openSandboxAccount(tx, { userId, like: input.ownerId })
  await creditPlayMoney(tx, { userId, now: input.now })
}
