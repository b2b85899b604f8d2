import { z } from 'zod'
import { telegramChoiceSchema, telegramLinkSchema, telegramSchema } from '#contract/telegram/chat.ts'
import { requireSession } from '#server/core/accounts/sessions/require-session.ts'
import { requireConfirmed } from '#server/core/accounts/ways-in/require-confirmed.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'
import { beginLink } from './chats/begin-link.ts'
import { changeChat } from './chats/queries.ts'
import { unlinkChat } from './chats/unlink.ts'
import { getTelegram } from './get-telegram.ts'
import { claimReward } from './reward/claim-reward.ts'

export const telegramCalls: Call[] = [
  defineCall('GET /api/v1/telegram', {
    auth: 'required',
    scope: 'session',
    input: z.object({}),
    reply: telegramSchema,
    handle: (ctx, { member }) => getTelegram(ctx, member),
  }),
  defineCall('POST /api/v1/telegram/link', {
    auth: 'required',
    scope: 'session',
    input: telegramChoiceSchema,
    reply: telegramLinkSchema,
    async handle(ctx, caller, { codes: wantsCodes }) {
      const signedIn = requireSession(caller)
      // A link decides where codes go, so it needs the same confirmation as a new way to sign in.
      await requireConfirmed(ctx, signedIn)
      const { url, expiresAt } = await beginLink(ctx, { ...signedIn, wantsCodes })
      return { status: true, url, expires_at: expiresAt.toISOString() }
    },
  }),
  defineCall('PATCH /api/v1/telegram', {
    auth: 'required',
    scope: 'session',
    input: telegramChoiceSchema,
    reply: telegramSchema,
    async handle(ctx, caller, { codes: wantsCodes }) {
      const { userId } = requireSession(caller)
      if (!(await changeChat(ctx.db, { userId, wantsCodes }))) throw notFound()
      return getTelegram(ctx, caller.member)
    },
  }),
  defineCall('DELETE /api/v1/telegram', {
    auth: 'required',
    scope: 'session',
    input: z.object({}),
    reply: telegramSchema,
    async handle(ctx, caller) {
      const signedIn = requireSession(caller)
      // An intruder could otherwise unlink the chat that would warn the owner.
      await requireConfirmed(ctx, signedIn)
      if (!(await unlinkChat(ctx, signedIn.userId, signedIn.sessionId))) throw notFound()
      return getTelegram(ctx, caller.member)
    },
  }),
  defineCall('POST /api/v1/telegram/reward', {
    auth: 'required',
    scope: 'session',
    input: z.object({}),
    reply: telegramSchema,
    async handle(ctx, caller) {
      await claimReward(ctx, requireSession(caller))
      return getTelegram(ctx, caller.member)
    },
  }),
]
