import type { WaysLeft } from '#contract/account.ts'
import type { Locale } from '#contract/constants.ts'
import { countKeys } from '#server/core/accounts/api-keys/queries.ts'
import { hasPasskey, listIdentities } from '#server/core/accounts/ways-in/queries.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'
import { deleteChatLinks, deleteResets, settleChat } from './queries.ts'

type Person = { userId: number; email: string | null; locale: Locale }

/**
 * Ends reset links and mails the owner a list of the other ways to sign in. After a reset, it also stops sign-in codes
 * to the linked Telegram chat, which an intruder may have linked. The user may turn the codes on again.
 */
export async function afterNewPassword(
  ctx: Context,
  tx: Db,
  { userId, email, locale, isReset }: Person & { isReset: boolean },
): Promise<WaysLeft> {
  await deleteResets(tx, userId)
  await deleteChatLinks(tx, userId)
  const chat = await settleChat(tx, { userId, stopsCodes: isReset })
  const profiles = (await listIdentities(tx, userId)).map(({ provider }) => provider)
  const keys = await countKeys(tx, userId)
  if (email !== null) {
    const linked = (await hasPasskey(tx, userId)) ? [...profiles, 'passkey'] : profiles
    const mail = {
      kind: 'password-changed',
      linked,
      ...(keys > 0 && { keys }),
      ...(chat !== null && { chat }),
    } as const
    await queueMail(ctx, tx, { to: email, locale, mail })
  }
  return { linked_profiles: profiles, api_keys: keys, telegram_chat: chat }
}
