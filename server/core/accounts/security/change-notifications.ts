import type { NotificationChannel } from '#contract/notifications/notification.ts'
import type { SignedIn } from '#server/core/accounts/sessions/require-session.ts'
import { findUser } from '#server/core/accounts/users/queries.ts'
import { requireConfirmed } from '#server/core/accounts/ways-in/require-confirmed.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import {
  changeNotificationSettings,
  findSecurityChannels,
  type WantedSettings,
} from '#server/core/notifications/change-settings.ts'
import { notify } from '#server/core/notifications/notify.ts'
import { wordsOf } from '#server/core/notifications/words/words-of.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { tooManyRequests } from '#server/house/errors/errors.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'

const LINK = '/settings/notifications'
const MAX_ROUNDS = 5

/**
 * Changes the notification channels. Turning off a channel for security messages needs a confirmation, so that a
 * hijacked session cannot silence warnings. The change is reported by mail and by the remaining channels. Throws
 * INVALID_INPUT, CONFIRM_PASSWORD, TOO_MANY_REQUESTS.
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
