import { announceChange } from '#server/core/numbers/activations/announce.ts'
import { findAnyActivation } from '#server/core/numbers/activations/queries/read.ts'
import { announceRental } from '#server/core/numbers/rentals/announce.ts'
import { findAnyRental } from '#server/core/numbers/rentals/queries/read.ts'
import type { Context } from '#server/house/context.ts'
import type { Order } from './pay-back.ts'
import { rentalOfCharge } from './queries/pay-back.ts'

/** Notifies the buyer's open tabs of a refund. Must be called after the commit. */
export async function announceRefund(ctx: Context, { kind, id }: Order): Promise<void> {
  if (kind === 'activation') {
    const row = await findAnyActivation(ctx.db, id)
    if (row !== null) await announceChange(ctx, row)
    return
  }
  const rentalId = kind === 'charge' ? await rentalOfCharge(ctx.db, id) : id
  const row = rentalId === null ? null : await findAnyRental(ctx.db, rentalId)
  if (row !== null) await announceRental(ctx, row, { paid: true })
}

const SUBJECT = /^(activation|rental|charge):(\d{1,18})$/

export function readOrderSubject(subject: string): Order | null {
  const [, kind, id = ''] = SUBJECT.exec(subject) ?? []
  return kind === 'activation' || kind === 'rental' || kind === 'charge' ? { kind, id: BigInt(id) } : null
}
