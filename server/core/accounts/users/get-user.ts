import { toDecimal } from '#contract/money.ts'
import { FIRST_SETTINGS } from '#contract/settings/user-settings.ts'
import type { User } from '#contract/user.ts'
import { sessionText } from '#server/core/notifications/queries/bell.ts'
import type { Context } from '#server/house/context.ts'
import { unauthenticated } from '#server/house/errors/errors.ts'
import { sandboxMark } from '#server/house/sandbox.ts'
import { findUserFacts } from './queries.ts'

/**
 * Returns the user as pages show it. `sessionId` is null for an API key. Throws UNAUTHENTICATED if the user is gone.
 */
export async function getUser(
  ctx: Context,
  { userId, sessionId }: { userId: number; sessionId: bigint | null },
): Promise<User> {
  const user = await findUserFacts(ctx.db, userId, sessionText(sessionId))
  if (user === null) throw unauthenticated()
  return {
    id: user.id,
    email: user.email ?? '',
    name: user.name,
    role: user.role,
    balance: toDecimal(user.available_micros),
    held: toDecimal(user.held_micros),
    debt: toDecimal(user.debt_micros),
    currency: user.currency,
    created_at: user.created_at.toISOString(),
    notifications_count: Number(user.unread),
    ...(user.blocked_at !== null && { blocked: true as const }),
    ...(user.deletion_at !== null && { deletion_at: user.deletion_at.toISOString() }),
    ...(user.is_guest === true && { guest: true as const }),
    ...(user.documents_changed && { documents_changed: true as const }),
    open_payments: Number(user.open_payments),
    activations: { count: Number(user.active), rent_count: Number(user.rented) },
    ...sandboxMark(ctx),
    settings: { ...FIRST_SETTINGS, locale: user.locale, ...user.settings },
  }
}
