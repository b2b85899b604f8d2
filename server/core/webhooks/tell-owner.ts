import { MINUTE, SECOND } from '#contract/time.ts'
import { findUser } from '#server/core/accounts/users/queries.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { tooManyRequests } from '#server/house/errors/errors.ts'
import { createRateLimit } from '#server/house/http/door/rate-limit.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'

/** Each new address sends a mail to the owner, and nobody has a reason to make webhooks by the thousand. */
const perUser = createRateLimit({ name: 'letters about webhooks to a user', burst: 30, refillMs: 10 * MINUTE })

/** Takes a turn for a new address. Throws TOO_MANY_REQUESTS. */
export function takeAddressTurn(ctx: Context, userId: number): void {
  const waitMs = perUser.take(ctx, String(userId), ctx.clock.now())
  if (waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / SECOND))
}

type Way = { userId: number; label: string; host: string; moved: boolean }

/** Notifies the owner by mail that codes may go to a new address. An account without a mailbox is not notified. */
export async function tellOwner(ctx: Context, tx: Db, { userId, ...way }: Way): Promise<void> {
  const user = await findUser(tx, userId)
  if (user === null || user.email === null) return
  await queueMail(ctx, tx, { to: user.email, locale: user.locale, mail: { kind: 'webhook-made', ...way } })
}
