import type { Provider } from '#contract/account.ts'
import { logAccountEvent } from '#server/accounts/security/log-account-event.ts'
import { findUser } from '#server/accounts/users/queries.ts'
import type { Context } from '#server/context.ts'
import { transaction } from '#server/db/transaction.ts'
import { lastWayIn, notFound } from '#server/errors.ts'
import { queueMail } from '#server/mail/queue-mail.ts'
import { deleteIdentity, listIdentities, lockPasswordWay } from './queries.ts'

/** A profile at a provider no longer set up is no way in. Throws NOT_FOUND, LAST_WAY_IN. */
export async function unlinkProfile(
  ctx: Context,
  input: { userId: number; provider: Provider; address: string },
): Promise<void> {
  const { userId, provider, address } = input
  await transaction(ctx.db, async (tx) => {
    const byPassword = await lockPasswordWay(tx, input.userId)
    const linked = await listIdentities(tx, input.userId)
    if (!linked.some((one) => one.provider === input.provider)) throw notFound()
    const others = linked.filter((one) => one.provider !== input.provider && ctx.providers[one.provider] !== undefined)
    if (!byPassword && others.length === 0) throw lastWayIn()
    await deleteIdentity(tx, input)
    const user = await findUser(tx, userId)
    if (user === null || user.email === null) return
    await queueMail(ctx, tx, { to: user.email, locale: user.locale, mail: { kind: 'identity-unlinked', provider } })
  })
  logAccountEvent(ctx, { event: 'profile-unlinked', userId, address })
}
