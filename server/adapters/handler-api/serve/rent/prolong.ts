import { z } from 'zod'
import { RENT_PERIODS_HOURS } from '#contract/constants.ts'
import { toDecimal } from '#contract/money.ts'
import { exactNumber } from '#server/adapters/shared/exact-number.ts'
import { listExtensions } from '#server/core/numbers/rentals/extend.ts'
import { listCharges } from '#server/core/numbers/rentals/queries/charges.ts'
import { findRental } from '#server/core/numbers/rentals/queries/read.ts'
import type { Context } from '#server/house/context.ts'
import type { Member } from '#server/house/http/caller.ts'
import { amountNumber, CURRENCY_NUMBERS, json } from '../answer.ts'
import { protocolTime } from '../dialects/times.ts'
import { flag } from '../parameters/parameter-schemas.ts'
import { hoursParameters, periodOf } from './period.ts'
import { rentAction, rentError } from './rent-action.ts'
import { asPhpList, rentalId } from './rent-record.ts'

/**
 * Replies with an extension's price, like SMS-Activate, and on request with the rental's earlier payments (`history`).
 */
export const continueRentInfo = rentAction({
  scope: 'read',
  parameters: z.object({ id: rentalId, needHistory: flag, ...hoursParameters }),
  refusals: { id: 'NO_ID_RENT' },
  async handle(ctx, member, { id, needHistory, ...given }, dialect) {
    const hours = periodOf(given)
    if (typeof hours !== 'number') return hours
    const price = await priceOf(ctx, member, { id, hours })
    if (price === undefined) return rentError('RENT_DIE')
    const shown = { status: 'success', price: exactNumber(price), currency: CURRENCY_NUMBERS[member.currency], hours }
    if (!needHistory) return json(shown)
    const charges = await listCharges(ctx.db, { rentalId: id, userId: member.userId })
    const history = charges.map(({ created_at: at, price_micros: paid, hours: length }) => ({
      createDate: protocolTime(dialect, at),
      price: toDecimal(paid),
      hours: length,
    }))
    return json({ ...shown, history: asPhpList(history) })
  },
})

export const getContinueRentPriceNumber = rentAction({
  scope: 'read',
  parameters: z.object({ id: rentalId, ...hoursParameters }),
  refusals: { id: 'NO_ID_RENT' },
  async handle(ctx, member, { id, ...given }) {
    const hours = periodOf(given)
    if (typeof hours !== 'number') return hours
    const price = await priceOf(ctx, member, { id, hours })
    if (price === undefined) return rentError('RENT_DIE')
    return json({ status: 'success', price: exactNumber(price), currency: CURRENCY_NUMBERS[member.currency] })
  },
})

async function priceOf(
  ctx: Context,
  { userId, currency }: Member,
  { id, hours }: { id: number; hours: number },
): Promise<string | undefined> {
  const { data } = await listExtensions(ctx, { rentalId: id, userId, currency })
  return data.periods.find(({ period }) => period === hours)?.price
}

export const prolongOptions = rentAction({
  scope: 'read',
  parameters: z.object({ id: rentalId }),
  refusals: { id: 'NO_ID_RENT' },
  async handle(ctx, member, { id }) {
    const { data } = await listExtensions(ctx, { rentalId: id, userId: member.userId, currency: member.currency })
    const options = data.periods.map(({ period, price }) => ({
      price: exactNumber(price),
      duration: { unit: 'hour', value: period },
    }))
    return json({
      data: { options, available_durations: RENT_PERIODS_HOURS, currency: CURRENCY_NUMBERS[member.currency] },
    })
  },
})

export const prolongHistory = rentAction({
  scope: 'read',
  parameters: z.object({ id: rentalId }),
  refusals: { id: 'NO_ID_RENT' },
  async handle(ctx, { userId }, { id }, dialect) {
    if ((await findRental(ctx.db, { id, userId })) === null) return rentError('INVALID_PHONE')
    const charges = await listCharges(ctx.db, { rentalId: id, userId })
    const data = charges.map(({ price_micros: paid, hours, created_at: at }) => ({
      userPrice: amountNumber(paid),
      hours,
      createDate: protocolTime(dialect, at),
      payerType: 'client',
    }))
    return json({ data })
  },
})
