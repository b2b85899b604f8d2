import { keepGuest } from '#server/core/accounts/guests/keep-guest.ts'
import { logAccountEvent } from '#server/core/accounts/users/log-account-event.ts'
import { findUser } from '#server/core/accounts/users/queries.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import type { Wire } from '#server/house/http/call.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'
import { type Callback, finishJourney } from './finish-journey.ts'
import { putIdentity } from './queries.ts'

/**
 * Links a profile and tells the owner by mail; linking the same profile again changes nothing. Throws AUTH_FAILED,
 * IDENTITY_TAKEN.
 */
export async function linkProfile(
  ctx: Context,
  { userId, address }: { userId: number; address: string },
  callback: Callback,
  wire: Wire | undefined,
): Promise<void> {
  const { subject, name } = await finishJourney(ctx, { callback, userId }, wire)
  const { service: provider } = callback
  const isFresh = await transaction(ctx.db, async (tx) => {
    await keepGuest(tx, { userId, now: ctx.clock.now() })
    const fresh = await putIdentity(tx, { userId, provider, subject, name, now: ctx.clock.now() })
    const user = fresh ? await findUser(tx, userId) : null
    if (user !== null && user.email !== null) {
      await queueMail(ctx, tx, { to: user.email, locale: user.locale, mail: { kind: 'identity-linked', provider } })
    }
    return fresh
  })
  if (isFresh) logAccountEvent(ctx, { event: 'profile-linked', userId, address })
}
