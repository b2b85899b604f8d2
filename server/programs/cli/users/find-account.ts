import { findUserByEmail, type UserRow } from '#server/core/accounts/users/queries.ts'
import type { Db } from '#server/house/db/pool.ts'
import { type Account, findAccount } from '#server/house/money/accounts.ts'
import { CommandRefused } from '#server/programs/cli/command.ts'

export async function requireUser(db: Db, email: string): Promise<UserRow> {
  const user = await findUserByEmail(db, email)
  if (user === null) throw new CommandRefused(`There is no user ${email}`)
  return user
}

export async function requireAccount(db: Db, user: UserRow): Promise<Account> {
  const account = await findAccount(db, user.id)
  if (account === null) throw new CommandRefused(`${user.email} has no account`)
  return account
}
