import { findUser } from '#server/core/accounts/users/queries.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { deleteChat } from './queries.ts'
import { tellOfChat } from './tell-of-chat.ts'

/**
 * Unlinks the user's Telegram chat. `bySession` is null when the bot received /stop. Returns false if no chat was
 * linked.
 */
export async function unlinkChat(ctx: Context, userId: number, bySession: bigint | null): Promise<boolean> {
  return transaction(ctx.db, async (tx) => {
    const chat = await deleteChat(tx, userId)
    const user = chat === null ? null : await findUser(tx, userId)
    if (chat === null || user === null) return false
    await tellOfChat(ctx, tx, { user, kind: 'telegram-unlinked', name: chat.name, bySession })
    return true
  })
}
