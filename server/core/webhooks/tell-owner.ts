import { MINUTE } from '#contract/time.ts'
import { findUser } from '#server/core/accounts/users/queries.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'

/** The rate limit exists because each new URL sends a mail to the owner. */
const perUser = createRateLimit({ name: 'letters about webhooks to a user', burst: 30, refillMs: 10 * MINUTE })

/** Counts a new URL against the user's rate limit. Throws TOO_MANY_REQUESTS. */
export async function limitNewAddresses(ctx: Context, userId: number): Promise<void> {
  await perUser.spend(ctx, String(userId))
}

type Way = { userId: number; label: string; host: string; moved: boolean }

/** Notifies the owner by mail that codes may go to a new URL; an account without a mailbox is not notified. */
export async function tellOwner(ctx: Context, tx: Db, { userId, ...way }: Way): Promise<void> {
  const user = await findUser(tx, userId)
  if (user === null || user.email === null) return
  await queueMail(ctx, tx, { to: user.email, locale: user.locale, mail: { kind: 'webhook-made', ...way } })
}
