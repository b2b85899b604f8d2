import { z } from 'zod'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'
import { isAtPage } from '#server/house/news/follow-pages.ts'
import { MAIL_PAUSE_MS, MAIL_WATCH_MS } from './limits.ts'
import { findAsker, lockUnread, queueMailCheck, setMailed, type UnreadTicket } from './queries/mails.ts'

const payloadSchema = z.object({ ticketId: z.coerce.bigint(), despiteChat: z.boolean().default(false) })

/**
 * Mails an answer that stays unread, at most one for each ticket in a quarter of an hour. The job runs again while the
 * user is online or was just mailed.
 */
export async function mailAnswer(ctx: Context, payload: unknown): Promise<void> {
  const { ticketId, despiteChat } = payloadSchema.parse(payload)
  const askerId = await findAsker(ctx.db, ticketId)
  const isSeen = askerId !== null && (await isAtPage(ctx, askerId))
  await transaction(ctx.db, async (tx) => {
    const unread = await lockUnread(tx, { ticketId, despiteChat })
    if (unread === null) return
    const now = ctx.clock.now()
    const pauseMs = unread.mailed_at === null ? 0 : unread.mailed_at.getTime() + MAIL_PAUSE_MS - now.getTime()
    if (pauseMs > 0) return queueMailCheck(tx, { ticketId, despiteChat, afterMs: Math.min(pauseMs, MAIL_PAUSE_MS) })
    if (isSeen) {
      if (now.getTime() - unread.changed_at.getTime() < MAIL_WATCH_MS)
        await queueMailCheck(tx, { ticketId, despiteChat, afterMs: MAIL_PAUSE_MS })
      return
    }
    await mailTo(ctx, tx, { ticketId, unread })
  })
}

async function mailTo(ctx: Context, tx: Db, input: { ticketId: bigint; unread: UnreadTicket }): Promise<void> {
  const { ticketId, unread } = input
  const { email: to, locale, subject } = unread
  if (to === null) return
  await setMailed(tx, { ticketId, now: ctx.clock.now() })
  await queueMail(ctx, tx, { to, locale, mail: { kind: 'support-answer', ticket: Number(ticketId), subject } })
}
