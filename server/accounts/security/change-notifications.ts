import type { NotificationChannel } from '#contract/notifications/notification.ts'
import { requireConfirmed } from '#server/accounts/sessions/require-confirmed.ts'
import type { SignedIn } from '#server/accounts/sessions/require-session.ts'
import { findUser } from '#server/accounts/users/queries.ts'
import { catalogOf } from '#server/catalog/offers/catalog-index.ts'
import type { Context } from '#server/context.ts'
import type { Db } from '#server/db/pool.ts'
import { tooManyRequests } from '#server/errors.ts'
import { queueMail } from '#server/mail/queue-mail.ts'
import {
  changeNotificationSettings,
  findSecurityChannels,
  type WantedSettings,
} from '#server/notifications/change-settings.ts'
import { notify } from '#server/notifications/notify.ts'
import { wordsOf } from '#server/notifications/words/words-of.ts'

const LINK = '/settings/notifications'
/** Another change came between. */
const MAX_ROUNDS = 5

/**
 * Whoever took over a session must not silence what would tell of it: to turn off a channel of security asks for a
 * confirmation, and is told by the channels that remain and by letter. Throws INVALID_INPUT, CONFIRM_PASSWORD, TOO_MANY_REQUESTS.
 */
export async function changeNotifications(ctx: Context, signedIn: SignedIn, wanted: WantedSettings): Promise<void> {
  const { userId, sessionId } = signedIn
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { stored, channels } = await findSecurityChannels(ctx, userId)
    const kept = wanted.choices?.security
    const silenced = kept === undefined ? [] : channels.filter((channel) => !kept.includes(channel))
    if (silenced.length > 0) await requireConfirmed(ctx, signedIn)
    const changed = await changeNotificationSettings(ctx, {
      userId,
      wanted,
      securityWas: stored,
      async inTransaction(tx) {
        if (silenced.length > 0) await tellOfSilence(ctx, tx, { userId, sessionId, channels: silenced })
      },
    })
    if (changed) return
  }
  throw tooManyRequests(1)
}

async function tellOfSilence(
  ctx: Context,
  tx: Db,
  { userId, sessionId, channels }: Pick<SignedIn, 'userId' | 'sessionId'> & { channels: NotificationChannel[] },
): Promise<void> {
  const kind = 'security-silenced' as const
  const told = { kind, details: { channels } }
  const raised = { ...told, userId, link: LINK, dedupeKey: `${kind}:${ctx.random.uuid()}`, bySession: sessionId }
  await notify(tx, raised, ctx.clock.now())
  const user = await findUser(tx, userId)
  if (user === null || user.email === null) return
  const mail = { kind: 'notification', ...wordsOf(catalogOf(ctx), told, user.locale), link: LINK } as const
  await queueMail(ctx, tx, { to: user.email, locale: user.locale, mail })
}
