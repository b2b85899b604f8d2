import { z } from 'zod'
import { MAX_PAGE_SIZE } from '#contract/constants.ts'
import type { Word } from '#server/adapters/handler-api/wire/words.ts'
import { listMessages } from '#server/core/numbers/listing/queries/messages.ts'
import { cancelRental } from '#server/core/numbers/rentals/cancel.ts'
import { finishRental } from '#server/core/numbers/rentals/finish.ts'
import { findRental } from '#server/core/numbers/rentals/queries/read.ts'
import type { RentalRow } from '#server/core/numbers/rentals/queries/row.ts'
import type { Context } from '#server/house/context.ts'
import { AppError } from '#server/house/errors/errors.ts'
import { json } from '../answer.ts'
import { rentAction, rentError } from './rent-action.ts'
import { asPhpList, rentalId, rentedMessage } from './rent-record.ts'

/** The maximum number of messages of a rental that can be read, more than on the site. */
const MAX_MESSAGES = 1_000

/** Reads the number of a page. An invalid number is read as the first page, because reading is harmless. */
export const paging = {
  page: z.coerce.number().int().min(1).max(MAX_MESSAGES).catch(1),
  size: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).catch(10),
}

export const getRentStatus = rentAction({
  scope: 'read',
  parameters: z.object({ id: rentalId, ...paging }),
  refusals: { id: 'NO_ID_RENT' },
  async handle(ctx, member, { id, page, size }, dialect) {
    const row = await findRental(ctx.db, { id, userId: member.userId })
    if (row === null) return rentError('INVALID_PHONE')
    const over = OVER[row.state]
    if (over !== undefined) return rentError(over)
    if (row.sms_count === 0) return rentError('STATUS_WAIT_CODE')
    const perNumber = Math.min(page * size, MAX_MESSAGES)
    const found = (await listMessages(ctx.db, 'rental', { numbers: [row], perNumber })).get(row.id) ?? []
    const shown = found.slice((page - 1) * size, page * size).map((message) => rentedMessage(dialect, row, message))
    return json({ status: 'success', quantity: String(row.sms_count), values: asPhpList(shown) })
  },
})

const OVER: Partial<Record<RentalRow['state'], Word>> = {
  // The buyer gets no id of a reserving or failed rental.
  reserving: 'INVALID_PHONE',
  failed: 'INVALID_PHONE',
  finished: 'STATUS_FINISH',
  expired: 'STATUS_FINISH',
  cancelled: 'STATUS_CANCEL',
  revoked: 'STATUS_REVOKE',
}

/** Ends a rental: status 1 finishes it, and status 2 cancels it. Repeats get ALREADY_…, as at other services. */
export const setRentStatus = rentAction({
  scope: 'buy',
  parameters: z.object({ id: rentalId, status: z.enum(['1', '2']) }),
  refusals: { id: 'NO_ID_RENT', status: 'INCORECT_STATUS' },
  async handle(ctx, member, { id, status }) {
    const which = { rentalId: id, userId: member.userId }
    const row = await findRental(ctx.db, { id, userId: member.userId })
    const over = row === null ? 'INVALID_PHONE' : ENDED[row.state]
    if (over !== undefined) return rentError(over)
    await (status === '1' ? finish(ctx, which) : cancelRental(ctx, which))
    return json({ status: 'success' })
  },
})

const ENDED: Partial<Record<RentalRow['state'], Word>> = {
  reserving: 'INVALID_PHONE',
  failed: 'INVALID_PHONE',
  finished: 'ALREADY_FINISH',
  expired: 'ALREADY_FINISH',
  cancelled: 'ALREADY_CANCEL',
  revoked: 'ALREADY_CANCEL',
}

/** Finishes a rental, or cancels it while a cancellation still refunds the money, as with activations. */
async function finish(ctx: Context, which: { rentalId: number; userId: number }): Promise<void> {
  try {
    await finishRental(ctx, which)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'NO_CODE_YET') throw error
    await cancelRental(ctx, which).catch(async (refused: unknown) => {
      // A message arrived just before the cancellation, so the rental can only be finished.
      if (!(refused instanceof AppError) || refused.code !== 'RENT_CANCEL_DENIED') throw refused
      await finishRental(ctx, which)
    })
  }
}
