import type { Provider } from '#contract/account.ts'
import { logAccountEvent } from '#server/core/accounts/users/log-account-event.ts'
import { findUser } from '#server/core/accounts/users/queries.ts'
import { waysIn } from '#server/core/accounts/ways-in/ways-in.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { lastWayIn, notFound } from '#server/house/errors/errors.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'
import { deleteIdentity } from './queries.ts'

/**
 * Unlinks a profile unless it is the last way to sign in. A profile at a provider that is no longer set up is not a way
 * to sign in. Throws NOT_FOUND, LAST_WAY_IN.
 */
export async function unlinkProfile(
  ctx: Context,
  input: { userId: number; provider: Provider; address: string },
): Promise<void> {
  const { userId, provider, address } = input
  await transaction(ctx.db, async (tx) => {
    const ways = await waysIn(ctx, tx, userId)
    const others = ways.profiles.filter((one) => one.provider !== provider)
    const isLast = !ways.password && others.length === 0 && ways.passkeys.length === 0
    if (!(await deleteIdentity(tx, input))) throw notFound()
    if (isLast) throw lastWayIn()
    const user = await findUser(tx, userId)
    if (user === null || user.email === null) return
    await queueMail(ctx, tx, { to: user.email, locale: user.locale, mail: { kind: 'identity-unlinked', provider } })
  })
  logAccountEvent(ctx, { event: 'profile-unlinked', userId, address })
}
