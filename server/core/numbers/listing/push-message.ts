import { z } from 'zod'
import { formatPhone } from '#contract/formats/phone-format.ts'
import { MINUTE } from '#contract/time.ts'
import { queuePush } from '#server/core/notifications/push/queue-push.ts'
import type { Context } from '#server/house/context.ts'
import { isAtPage } from '#server/house/news/follow-pages.ts'
import { kindRecord } from './kind-record.ts'
import { findPushedMessage } from './queries/pushed-message.ts'

/** The lifetime of a push notification. A code is useless later. */
const LIFETIME_MS = 10 * MINUTE
const LONGEST_TEXT = 150

const payloadSchema = z.object({
  messageId: z.string().regex(/^\d{1,19}$/),
  userId: z.int(),
  at: z.iso.datetime({ offset: true }),
})

/** Job that pushes a new message to its owner's browsers, unless a tab is open, which shows the message anyway. */
export async function pushMessage(ctx: Context, payload: unknown): Promise<void> {
  const { messageId, userId, at } = payloadSchema.parse(payload)
  const until = new Date(Date.parse(at) + LIFETIME_MS)
  if (ctx.clock.now() >= until || (await isAtPage(ctx, userId))) return
  const message = await findPushedMessage(ctx.db, { messageId, userId })
  if (message === null) return
  await queuePush(ctx, {
    userId,
    until,
    contentIn(locale) {
      const { service, country } = kindRecord(ctx, message, locale)
      // A rented number has no service, so the push names the message's sender.
      const from = message.is_rental ? message.sender : service.name
      const isCode = message.code !== null
      const said = isCode ? formatPhone(message.phone, country.dial) : (message.body ?? '').slice(0, LONGEST_TEXT)
      const url = message.is_rental ? '/rent' : '/activations'
      return { title: isCode ? `${from}: ${message.code}` : from, body: said, url, tag: `message-${messageId}` }
    },
  })
}
