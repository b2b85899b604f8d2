import { toDecimal } from '#contract/money.ts'
import type { User } from '#contract/user.ts'
import type { Context } from '#server/context.ts'
import { unauthenticated } from '#server/errors.ts'
import { countActive } from '#server/features/activations/queries/read.ts'
import { findAccount } from '#server/money/accounts.ts'
import { findUser } from './queries.ts'

/** The user as GET /api/user answers. Throws UNAUTHENTICATED when he is gone. */
export async function getUser(ctx: Context, userId: number): Promise<User> {
  const [user, account, active] = await Promise.all([
    findUser(ctx.db, userId),
    findAccount(ctx.db, userId),
    countActive(ctx.db, userId),
  ])
  if (user === null || account === null) throw unauthenticated()
  return {
    id: user.id,
    email: user.email ?? '',
    name: user.name,
    role: user.role,
    balance: toDecimal(account.availableMicros),
    held: toDecimal(account.heldMicros),
    currency: account.currency,
    notifications_count: 0,
    activations: { count: active, rent_count: 0 },
    settings: { copying_code: true, confirmation_actions: false, sound_new_sms: true, ...user.settings },
  }
}
