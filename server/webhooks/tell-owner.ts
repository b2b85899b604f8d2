import { findUser } from '#server/accounts/users/queries.ts'
import type { Context } from '#server/context.ts'
import type { Db } from '#server/db/pool.ts'
import { queueMail } from '#server/mail/queue-mail.ts'
import type { EndpointRow } from './queries/endpoints.ts'

/** A program may have done it with a stolen key: codes leave the account from now on. */
export async function tellOwner(ctx: Context, tx: Db, { user_id: userId, label, url }: EndpointRow, moved: boolean) {
  const user = await findUser(tx, userId)
  if (user === null || user.email === null) return
  const mail = { kind: 'webhook-made', label, host: new URL(url).host, moved } as const
  await queueMail(ctx, tx, { to: user.email, locale: user.locale, mail })
}
