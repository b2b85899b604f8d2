import { announceChange, showChange } from '#server/core/numbers/activations/announce.ts'
import { findAnyActivation } from '#server/core/numbers/activations/queries/read.ts'
import { announceRental, showRental } from '#server/core/numbers/rentals/announce.ts'
import { findAnyRental } from '#server/core/numbers/rentals/queries/read.ts'
import type { Context } from '#server/house/context.ts'
import type { Order } from './pay-back.ts'
import { rentalOfCharge } from './queries/pay-back.ts'

/** Notifies the buyer's open tabs of a refund. Must be called after the commit. */
export async function announceRefund(ctx: Context, order: Order): Promise<void> {
  const { activation, rental } = await findRefunded(ctx, order)
  if (activation !== null) await announceChange(ctx, activation)
  if (rental !== null) await announceRental(ctx, rental, { paid: true })
}

/** Notifies the tabs of this node alone. */
export async function showRefund(ctx: Context, order: Order): Promise<void> {
  const { activation, rental } = await findRefunded(ctx, order)
  if (activation !== null) await showChange(ctx, activation)
  if (rental !== null) await showRental(ctx, rental, { paid: true })
}

async function findRefunded({ db }: Context, { kind, id }: Order) {
  if (kind === 'activation') return { activation: await findAnyActivation(db, id), rental: null }
  const rentalId = kind === 'charge' ? await rentalOfCharge(db, id) : id
  return { activation: null, rental: rentalId === null ? null : await findAnyRental(db, rentalId) }
}

const SUBJECT = /^(activation|rental|charge):(\d{1,18})$/

export function readOrderSubject(subject: string): Order | null {
  const [, kind, id = ''] = SUBJECT.exec(subject) ?? []
  return kind === 'activation' || kind === 'rental' || kind === 'charge' ? { kind, id: BigInt(id) } : null
}
