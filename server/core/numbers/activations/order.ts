import type { OrderKind } from '#server/core/numbers/sourcing/order-kind.ts'
import { orderReference } from '#server/core/numbers/sourcing/order-reference.ts'
import { reservingOf } from '#server/core/numbers/sourcing/under-way.ts'
import { announceChange } from './announce.ts'
import { failReservation, listOrphans, nextAttempt, settleBought, takeOverReservations } from './queries/purchase.ts'
import { findAnyActivation } from './queries/read.ts'
import type { ActivationRow } from './queries/row.ts'

export function referenceOf(row: { id: bigint; attempt: number }): string {
  return orderReference({ kind: 'activation', id: row.id, attempt: row.attempt })
}

export const ACTIVATION_ORDER: OrderKind<ActivationRow> = {
  name: 'activation',
  call: 'buy',
  sold: 'bought',
  usedOnce: 'activations_number_once',
  underWay: (ctx) => reservingOf(ctx),
  referenceOf,
  sellerOf: (supplier) => ({
    sell: (order, _row, signal) => supplier.buy(order, signal),
    find: (reference, signal) => supplier.find(reference, signal),
  }),
  wantedUntil: (row) => row.expires_at,
  // A message may have come already, so the state `received` also means that the purchase was settled.
  isSettled: ({ state }) => state === 'waiting' || state === 'received',
  nextAttempt,
  settle: settleBought,
  fail: failReservation,
  findAny: findAnyActivation,
  takeOver: takeOverReservations,
  listOrphans,
  announce: announceChange,
}
