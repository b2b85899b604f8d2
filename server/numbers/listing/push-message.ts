import { formatPhone } from '#contract/formats/phone-format.ts'
import { userChannel } from '#contract/live-events.ts'
import { MINUTE } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { queuePush } from '#server/notifications/push/queue-push.ts'
import { kindRecord } from './kind-record.ts'
import type { MessageRow } from './queries/messages.ts'

/** A code is of no use much later. */
const LIFETIME_MS = 10 * MINUTE
const LONGEST_TEXT = 150

type Buyer = { user_id: number; service_code: string; country_id: number; phone: string | null }

/** To the browsers of a buyer whose tabs are all closed. The supplier does not wait for it. */
export function pushMessage(ctx: Context, buyer: Buyer, message: MessageRow & { url: '/activations' | '/rent' }): void {
  if (ctx.realtime.hasTabs(userChannel(buyer.user_id))) return
  ctx.background.run('push of a message', () =>
    queuePush(ctx, {
      userId: buyer.user_id,
      until: new Date(ctx.clock.now().getTime() + LIFETIME_MS),
      contentIn(locale) {
        const { service, country } = kindRecord(ctx, buyer, locale)
        // A whole number has no service.
        const from = message.url === '/rent' ? message.sender : service.name
        const phone = buyer.phone === null ? '' : formatPhone(buyer.phone, country.dial)
        const said = message.code === null ? (message.body ?? '').slice(0, LONGEST_TEXT) : phone
        const title = message.code === null ? from : `${from}: ${message.code}`
        return { title, body: said, url: message.url, tag: `message-${message.id}` }
      },
    }),
  )
}
