import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'
import { openAccount } from '#server/house/money/accounts.ts'
import { insertUser, type NewUser, noteConsents } from './queries.ts'

/** Makes a user with an account. Returns null if the e-mail is taken. Call it in a transaction. */
export async function createUser(tx: Db, input: NewUser & { currency: Currency }): Promise<number | null> {
  const userId = await insertUser(tx, input)
  if (userId === null) return null
  await openAccount(tx, { userId, currency: input.currency })
  await noteConsents(tx, { userId, now: input.now })
  return userId
}
