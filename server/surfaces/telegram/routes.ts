import { telegram } from '#contract/calls/telegram-calls.ts'
import { requireSession } from '#server/core/accounts/sessions/require-session.ts'
import { requireConfirmed } from '#server/core/accounts/ways-in/require-confirmed.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { beginLink } from './chats/begin-link.ts'
import { changeChat } from './chats/queries.ts'
import { unlinkChat } from './chats/unlink.ts'
import { getTelegram } from './get-telegram.ts'
import { claimReward } from './reward/claim-reward.ts'

export const telegramCalls: Call[] = [
  route(telegram.state, (ctx, { member }) => getTelegram(ctx, member)),
  route(telegram.link, async (ctx, caller, { codes: wantsCodes }) => {
    const signedIn = requireSession(caller)
    // The member must confirm the link, because a thief of the session could send all later codes to a foreign chat.
    await requireConfirmed(ctx, signedIn)
    const { url, expiresAt } = await beginLink(ctx, { ...signedIn, wantsCodes })
    return { status: true, url, expires_at: expiresAt.toISOString() }
  }),
  route(telegram.change, async (ctx, caller, { codes: wantsCodes }) => {
    const { userId } = requireSession(caller)
    if (!(await changeChat(ctx.db, { userId, wantsCodes }))) throw notFound()
    return getTelegram(ctx, caller.member)
  }),
  route(telegram.unlink, async (ctx, caller) => {
    const signedIn = requireSession(caller)
    // The member must confirm the unlinking, because the chat warns the owner of the account against a thief.
    await requireConfirmed(ctx, signedIn)
    if (!(await unlinkChat(ctx, signedIn.userId, signedIn.sessionId))) throw notFound()
    return getTelegram(ctx, caller.member)
  }),
  route(telegram.claimReward, async (ctx, caller) => {
    await claimReward(ctx, requireSession(caller))
    return getTelegram(ctx, caller.member)
  }),
]
