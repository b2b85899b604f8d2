import type { Currency } from '#contract/money.ts'
import { findByRefreshToken, findSpent } from '#server/core/accounts/sessions/queries.ts'
import { hashToken, REFRESH_OVERLAP_MS } from '#server/core/accounts/sessions/tokens.ts'
import { createUser } from '#server/core/accounts/users/create-user.ts'
import type { NewUser } from '#server/core/accounts/users/queries.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import type { Wire } from '#server/house/http/call.ts'
import { readOwnCookie } from '#server/house/http/cookies.ts'
import { keepGuest } from './keep-guest.ts'
import { lockGuest, nameGuest } from './queries.ts'

/**
 * Makes a user, or makes the guest of this browser the user, so that numbers and play money move along. Returns null if
 * the e-mail is taken.
 */
export async function createOrKeep(
  ctx: Context,
  tx: Db,
  input: NewUser & { currency: Currency },
  wire: Wire | undefined,
): Promise<number | null> {
  const { email, name, passwordHash, emailVerifiedAt = null, referrerId = null, utm = {}, now } = input
  const userId = await browserOwner(ctx, tx, wire)
  if (userId === null || !(await lockGuest(tx, userId))) return createUser(tx, input)
  const named = await nameGuest(tx, { userId, email, name, passwordHash, emailVerifiedAt, referrerId, utm })
  if (named === 'taken') return null
  await keepGuest(tx, { userId, now })
  return userId
}

/**
 * Returns the user whom the browser's cookie signs in, also by a token that was renewed a moment ago. Only the demo
 * looks, because nothing else has guests.
 */
export async function browserOwner(ctx: Context, db: Db, wire: Wire | undefined): Promise<number | null> {
  if (!ctx.config.demo || wire === undefined) return null
  const refresh = readOwnCookie(ctx.config, wire.request, 'refresh')
  if (refresh === undefined) return null
  const now = ctx.clock.now()
  const hash = hashToken(refresh)
  const owner = await findByRefreshToken(db, { hash, now })
  if (owner !== null) return owner.user_id
  const spent = await findSpent(db, hash)
  return spent !== null && now.getTime() - spent.spentAt.getTime() <= REFRESH_OVERLAP_MS ? spent.userId : null
}
