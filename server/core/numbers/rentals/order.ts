import type { OrderKind } from '#server/core/numbers/sourcing/order-kind.ts'
import { orderReference } from '#server/core/numbers/sourcing/order-reference.ts'
import { rentingOf } from '#server/core/numbers/sourcing/under-way.ts'
import { announceRental } from './announce.ts'
import { findAnyRental } from './queries/read.ts'
import { failRental, listRentalOrphans, nextRentalAttempt, settleRented, takeOverRentals } from './queries/reserve.ts'
import type { RentalRow } from './queries/row.ts'

export function rentReferenceOf(row: { id: bigint; attempt: number }): string {
  return orderReference({ kind: 'rental', id: row.id, attempt: row.attempt })
}

export const RENTAL_ORDER: OrderKind<RentalRow> = {
  name: 'rental',
  call: 'rent',
  sold: 'rented',
  usedOnce: 'rentals_number_once',
  underWay: (ctx) => rentingOf(ctx),
  referenceOf: rentReferenceOf,
  // A supplier that was restarted with other settings may no longer rent out numbers.
  sellerOf: ({ rent }) =>
    rent && {
      sell: (order, { hours }, signal) => rent.rent({ ...order, hours }, signal),
      find: (reference, signal) => rent.findRental(reference, signal),
    },
  // The buyer could have cancelled until this time, so a number found later is not wanted.
  wantedUntil: (row) => row.cancel_until,
  isSettled: ({ state }) => state === 'active',
  nextAttempt: nextRentalAttempt,
  settle: settleRented,
  fail: failRental,
  findAny: findAnyRental,
  takeOver: takeOverRentals,
  listOrphans: listRentalOrphans,
  announce: (ctx, row) => announceRental(ctx, row, { paid: true }),
}
