import { hashToken } from '#server/core/accounts/sessions/tokens.ts'
import { findUser } from '#server/core/accounts/users/queries.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { putChat, spendLink } from './queries.ts'
import { tellOfChat } from './tell-of-chat.ts'

type Linked = { outcome: 'linked'; email: string | null } | { outcome: 'expired' | 'taken' }

class Taken extends Error {}

/** Links a chat to the account of a link token. If the chat belongs to another account, the token is not spent. */
export async function finishLink(
  ctx: Context,
  chat: { token: string; telegramId: number; name: string },
): Promise<Linked> {
  const now = ctx.clock.now()
  try {
    return await transaction(ctx.db, async (tx) => {
      const link = await spendLink(tx, { hash: hashToken(chat.token), now })
      const user = link === null ? null : await findUser(tx, link.user_id)
      if (link === null || user === null) return { outcome: 'expired' }
      const { telegramId, name } = chat
      const isPut = await putChat(tx, { userId: user.id, telegramId, name, wantsCodes: link.wants_codes, now })
      if (!isPut) throw new Taken()
      await tellOfChat(ctx, tx, { user, kind: 'telegram-linked', name })
      return { outcome: 'linked', email: user.email }
    })
  } catch (error) {
    if (error instanceof Taken) return { outcome: 'taken' }
    throw error
  }
}
