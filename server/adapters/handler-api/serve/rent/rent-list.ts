import { z } from 'zod'
import { MAX_PAGE_SIZE } from '#contract/constants.ts'
import { listMessages } from '#server/core/numbers/listing/queries/messages.ts'
import { findExtensionByKey } from '#server/core/numbers/rentals/queries/extend.ts'
import { findRentalByKey, listRentals } from '#server/core/numbers/rentals/queries/read.ts'
import { amountNumber, json } from '../answer.ts'
import { endDate } from '../dialects/times.ts'
import { orderId, orderKey } from '../parameters/order-id.ts'
import { rentAction, rentError } from './rent-action.ts'
import { asPhpList, rentedMessage, rentedRow } from './rent-record.ts'
import { paging } from './rent-status.ts'

export const getRentList = rentAction({
  scope: 'read',
  parameters: z.object({ ...paging, length: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).catch(10) }),
  refusals: {},
  async handle(ctx, member, { page, length: limit }, dialect) {
    const { rows } = await listRentals(ctx.db, {
      userId: member.userId,
      list: 'newest',
      search: null,
      serviceCodes: null,
      countryIds: null,
      limit,
      offset: (page - 1) * limit,
    })
    if (rows.length === 0) return rentError('NO_NUMBERS')
    return json({ status: 'success', values: asPhpList(rows.map((row) => rentedRow(dialect, row))) })
  },
})

const MESSAGES_READ = 100
const named = { scope: 'read', parameters: z.object({ orderId }), refusals: { orderId: 'BAD_DATA' } } as const

/** Finds a rental, open or ended, by the name that the buyer gave it, without renting. Only we have this action. */
export const getRentOrder = rentAction({
  ...named,
  async handle(ctx, member, { orderId: name }, dialect) {
    const row = await findRentalByKey(ctx.db, { userId: member.userId, key: orderKey(name) })
    if (row === null || row.state === 'failed') return json({ status: 'success', order: 'none' })
    if (row.state === 'reserving') return json({ status: 'success', order: 'pending' })
    const numbers = [row]
    const found = (await listMessages(ctx.db, 'rental', { numbers, perNumber: MESSAGES_READ })).get(row.id) ?? []
    const messages = found.filter(({ late }) => !late).toReversed()
    return json({
      status: 'success',
      order: row.ended_at === null ? 'open' : 'ended',
      ...rentedRow(dialect, row),
      state: row.state,
      startDate: endDate(dialect, row.created_at),
      cost: amountNumber(row.price_micros),
      messages: messages.map((message) => rentedMessage(dialect, row, message)),
    })
  },
})

/** Finds an extension by the name that the buyer gave it. Only we have this action. */
export const getRentExtension = rentAction({
  ...named,
  async handle(ctx, member, { orderId: name }) {
    const found = await findExtensionByKey(ctx.db, { userId: member.userId, key: orderKey(name) })
    if (found === null || found.money === 'released') return json({ status: 'success', order: 'none' })
    if (found.money === 'held') return json({ status: 'success', order: 'pending' })
    const cost = amountNumber(found.price_micros)
    return json({ status: 'success', order: 'extended', id: found.rental_id.toString(), cost })
  },
})
