import { z } from 'zod'
import { MAX_PAGE_SIZE } from '#contract/constants.ts'
import { DAY, SECOND } from '#contract/time.ts'
import type { ServedDialect } from '#server/adapters/handler-api/wire/dialects.ts'
import { listMadeBetween } from '#server/core/numbers/activations/queries/past.ts'
import type { ActivationRow } from '#server/core/numbers/activations/queries/row.ts'
import { listMessages, type MessageRow } from '#server/core/numbers/listing/queries/messages.ts'
import { keyAction } from '../action.ts'
import { amountNumber, CURRENCY_NUMBERS, json, word } from '../answer.ts'
import { protocolTime } from '../dialects/times.ts'
import { MESSAGES_READ } from './current-message.ts'

const LONGEST_MS = 30 * DAY
const MAX_OFFSET = 100_000
const size = z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).optional().catch(undefined)
/** Reads seconds since 1970, up to the year 9999. */
const unixTime = z
  .string()
  .regex(/^\d{1,12}$/)
  .transform((digits) => new Date(Math.min(Number(digits), 253_402_300_799) * SECOND))

/** Lists purchases of at most 30 days, newest first. The default is the last 30 days. */
export const getHistory = keyAction({
  scope: 'read',
  parameters: z.object({
    start: unixTime.optional(),
    end: unixTime.optional(),
    offset: z.coerce.number().int().min(0).max(MAX_OFFSET).catch(0),
    limit: size,
    size,
  }),
  refusals: { start: word('WRONG_DATE'), end: word('WRONG_DATE') },
  async handle(ctx, { userId }, { offset, ...given }, dialect) {
    const until = given.end ?? ctx.clock.now()
    const since = given.start ?? new Date(until.getTime() - LONGEST_MS)
    const lasts = until.getTime() - since.getTime()
    if (lasts < 0 || lasts > LONGEST_MS) return word('WRONG_DATE')
    const limit = given.limit ?? given.size ?? MAX_PAGE_SIZE / 2
    const rows = await listMadeBetween(ctx.db, { userId, since, until, limit, offset })
    const found = await listMessages(ctx.db, 'activation', { numbers: rows, perNumber: MESSAGES_READ })
    return json(rows.map((row) => toItem(row, found.get(row.id) ?? [], dialect)))
  },
})

function toItem(row: ActivationRow, messages: readonly MessageRow[], { past, times }: ServedDialect) {
  const texts = messages.filter(({ late }) => !late).map(({ body }) => body ?? '')
  return {
    id: past.id === 'text' ? row.id.toString() : Number(row.id),
    // HeroSMS writes times with an offset from UTC in other replies, but not in this one.
    date: protocolTime({ times: times === 'offset' ? 'naive' : times }, row.created_at),
    phone: row.phone,
    sms: past.sms === 'list' ? texts.toReversed() : (texts[0] ?? null),
    cost: amountNumber(row.price_micros),
    status: statusOf(row),
    currency: CURRENCY_NUMBERS[row.currency],
  }
}

function statusOf({ state, money }: ActivationRow): string {
  switch (state) {
    case 'reserving':
    case 'waiting':
      return '4'
    case 'received':
      return '2'
    case 'waiting_again':
      return '3'
    case 'finished':
      return money === 'released' ? '10' : '6'
    case 'cancelled':
    case 'used':
    case 'failed':
      return '8'
    case 'expired':
      // If the money of an expired activation was captured, the buyer got a message.
      return money === 'released' ? '8' : '6'
    default:
      return state satisfies never
  }
}
