import { listMessages } from '#server/core/numbers/listing/queries/messages.ts'
import { json, word } from '../answer.ts'
import { readCall } from '../call.ts'
import { findOrder } from './find-order.ts'
import { messageRecord } from './order-record.ts'

const MAX_MESSAGES = 1_000

export const inbox = readCall('/user/sms/inbox/:id', async (ctx, given, { userId }) => {
  const order = await findOrder(ctx, userId, given)
  if (order === null) return word('order not found')
  const found = await listMessages(ctx.db, order.kind, { numbers: [order.row], perNumber: MAX_MESSAGES })
  const messages = (found.get(order.row.id) ?? []).filter(({ late }) => !late).toReversed()
  const Data = messages.map((message) => ({
    ID: Number(message.id),
    ...messageRecord(message),
    is_wave: false,
    wave_uuid: '',
  }))
  return json({ Data, Total: Math.max(order.row.sms_count, Data.length) })
})
