import type { UserRow } from '#server/core/accounts/users/queries.ts'
import { notify } from '#server/core/notifications/notify.ts'
import { wordsOf } from '#server/core/notifications/words/words-of.ts'
import type { Db } from '#server/house/db/pool.ts'
import { type MailWriter, queueMail } from '#server/house/mail/queue-mail.ts'

const NOTHING_NAMED = { services: new Map(), countries: new Map() }
const LINK = '/settings/notifications'

/**
 * Notifies a user that a chat was linked or unlinked. A mail is sent whatever the user's settings, because codes now go
 * to a different place.
 */
export async function tellOfChat(
  ctx: MailWriter,
  tx: Db,
  {
    user,
    kind,
    name,
    bySession = null,
  }: {
    user: Pick<UserRow, 'id' | 'email' | 'locale'>
    kind: 'telegram-linked' | 'telegram-unlinked'
    name: string
    bySession?: bigint | null
  },
): Promise<void> {
  const now = ctx.clock.now()
  const told = { kind, details: { name } }
  const dedupeKey = `${kind}:${ctx.random.uuid()}`
  const by = bySession === null ? {} : { bySession }
  await notify(tx, { ...told, ...by, userId: user.id, link: LINK, dedupeKey }, now)
  if (user.email === null) return
  const mail = { kind: 'notification', ...wordsOf(NOTHING_NAMED, told, user.locale), link: LINK } as const
  await queueMail(ctx, tx, { to: user.email, locale: user.locale, mail })
}
