import { z } from 'zod'
import { toDecimal } from '#contract/money.ts'
import type { ServedDialect } from '#server/adapters/handler-api/wire/dialects.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { findByIdempotencyKey } from '#server/core/numbers/activations/queries/read.ts'
import type { ActivationRow } from '#server/core/numbers/activations/queries/row.ts'
import { listMessages, type MessageRow } from '#server/core/numbers/listing/queries/messages.ts'
import type { Context } from '#server/house/context.ts'
import { keyAction } from '../action.ts'
import { amountNumber, CURRENCY_NUMBERS, json, word } from '../answer.ts'
import { canGetAnotherSms } from '../buying/another-sms.ts'
import { protocolTime } from '../dialects/times.ts'
import { orderId, orderKey, orderNameOf } from '../parameters/order-id.ts'
import { currentMessage, MESSAGES_READ } from './current-message.ts'
import { listOpen, openPage } from './list-open.ts'

/**
 * Lists open activations. SMS-Activate's clients read `activeActivations`, with amounts as text. HeroSMS's read `data`.
 */
export const getActiveActivations = keyAction({
  scope: 'read',
  parameters: openPage,
  async handle(ctx, member, page, dialect) {
    const open = await listOpen(ctx, member, page)
    if (open.length === 0) return word('NO_ACTIVATIONS')
    const data = open.map(({ row, messages }) => toFullItem(ctx, row, messages, dialect))
    if (dialect.open === 'rows') {
      const rows = { affected_rows: data.length, num_rows: data.length, row: [], rows: [] }
      return json({ status: 'success', data, activeActivations: rows })
    }
    const activeActivations = open.map(({ row, messages }) => ({
      ...toItem(ctx, row, messages, dialect),
      activationCost: toDecimal(row.price_micros),
    }))
    return json({ status: 'success', activeActivations, data })
  },
})

/** Finds an order, open or ended, by the name that the buyer gave it, for resellers after a lost reply. */
export const getOrder = keyAction({
  scope: 'read',
  parameters: z.object({ orderId }),
  refusals: { orderId: word('BAD_DATA') },
  async handle(ctx, member, { orderId: name }, dialect) {
    const row = await findByIdempotencyKey(ctx.db, { userId: member.userId, key: orderKey(name) })
    if (row === null || row.state === 'failed') return json({ status: 'success', order: 'none' })
    if (row.state === 'reserving') return json({ status: 'success', order: 'pending' })
    const messages = await listMessages(ctx.db, 'activation', { numbers: [row], perNumber: MESSAGES_READ })
    const order = row.ended_at === null ? 'open' : 'ended'
    return json({ status: 'success', order, ...toFullItem(ctx, row, messages.get(row.id) ?? [], dialect) })
  },
})

/**
 * Makes an order with its messages. Messages have ids and come oldest first, so that a slow poll misses none. Unpaid
 * messages after the end are left out.
 */
function toFullItem(ctx: Context, row: ActivationRow, found: MessageRow[], dialect: ServedDialect) {
  const messages = found.filter(({ late }) => !late)
  return {
    ...toItem(ctx, row, messages, dialect),
    orderId: orderNameOf(row.idempotency_key),
    messages: messages.toReversed().map(({ id, sender, body, code, received_at: at }) => ({
      id: id.toString(),
      from: sender,
      text: body ?? '',
      code: code ?? '',
      date: protocolTime(dialect, at),
    })),
  }
}

function toItem(ctx: Context, row: ActivationRow, messages: MessageRow[], dialect: ServedDialect) {
  const message = currentMessage(row, messages)
  const [waiting, received, again] = dialect.openStatus
  return {
    activationId: row.id.toString(),
    serviceCode: row.service_code,
    phoneNumber: row.phone,
    activationCost: amountNumber(row.price_micros),
    activationStatus: row.state === 'received' ? received : row.state === 'waiting_again' ? again : waiting,
    smsCode: message?.code ?? null,
    smsText: message?.body ?? null,
    activationTime: protocolTime(dialect, row.created_at),
    activationEndTime: protocolTime(dialect, row.expires_at),
    discount: '0.00',
    repeated: '0',
    countryCode: String(row.country_id),
    countryName: catalogOf(ctx).countries.get(row.country_id)?.name_en ?? '',
    activationOperator: row.operator ?? '',
    canGetAnotherSms: canGetAnotherSms(ctx, row) ? '1' : '0',
    currency: CURRENCY_NUMBERS[row.currency],
  }
}
