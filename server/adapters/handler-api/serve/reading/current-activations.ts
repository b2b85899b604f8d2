import { toDecimal } from '#contract/money.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { keyAction } from '../action.ts'
import { json } from '../answer.ts'
import { unixSeconds } from '../dialects/times.ts'
import { currentMessage } from './current-message.ts'
import { listOpen, openPage } from './list-open.ts'

/** Lists open activations like SMSHub, with the field names of SMS-Activate's old list as well. */
export const getCurrentActivations = keyAction({
  scope: 'read',
  parameters: openPage,
  async handle(ctx, member, page) {
    const open = await listOpen(ctx, member, page)
    if (open.length === 0) return json({ status: 'fail', msg: 'no_activations' })
    const array = open.map(({ row, messages }) => {
      const message = currentMessage(row, messages)
      return {
        id: Number(row.id),
        activationId: row.id.toString(),
        apiKeyId: null,
        phone: row.phone,
        status: row.state === 'received' ? '2' : '1',
        moreCodes: row.state === 'waiting_again' ? '1' : '0',
        createDate: unixSeconds(row.created_at),
        finishDate: '0000-00-00 00:00:00',
        receiveSmsDate: message === undefined ? 0 : unixSeconds(message.received_at),
        activation: { id: row.id.toString(), cost: toDecimal(row.price_micros), status: row.state },
        code: message?.code ?? '',
        text: message?.body ?? '',
        service: row.service_code,
        forward: '0',
        country: row.country_id,
        countryCode: String(row.country_id),
        countryName: catalogOf(ctx).countries.get(row.country_id)?.name_en ?? '',
        timer: unixSeconds(row.expires_at) - unixSeconds(row.created_at),
      }
    })
    const time = unixSeconds(ctx.clock.now())
    return json({ status: 'success', array, data: array, existNext: false, quant: array.length, time })
  },
})
