import { z } from 'zod'
import { toDecimal } from '#contract/money.ts'
import { unauthenticated } from '#server/house/errors/errors.ts'
import { findAvailableMicros } from '#server/house/money/accounts.ts'
import { keyAction } from '../action.ts'
import { CURRENCY_NUMBERS, json, text } from '../answer.ts'

/** Returns the balance without held money. */
export const getBalance = keyAction({
  scope: 'read',
  /** Clients of the service Tiger send `format`. */
  parameters: z.object({ format: z.string().optional() }),
  async handle(ctx, member, { format }) {
    const availableMicros = await findAvailableMicros(ctx.db, member.userId)
    if (availableMicros === null) throw unauthenticated()
    const balance = toDecimal(availableMicros)
    if (format === 'json') return json({ balance, currency: CURRENCY_NUMBERS[member.currency] })
    return text(`ACCESS_BALANCE:${balance}`)
  },
})
