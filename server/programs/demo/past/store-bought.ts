import type { Db } from '#server/house/db/pool.ts'
import {
  activationRow,
  burntRows,
  eventsOfOrder,
  messageRow,
  type PastFacts,
  type StoredOrder,
  usedReportRows,
} from './order-rows.ts'
import {
  chargeRowsOf,
  eventsOfRental,
  preorderRows,
  rentalRow,
  type StoredPreorder,
  type StoredRental,
} from './rental-rows.ts'
import { insertRows } from './row-queries.ts'
import { callHourRows, supplierEventRows } from './supply-rows.ts'

export type Bought = { orders: readonly StoredOrder[]; rentals: readonly StoredRental[]; preorder: StoredPreorder }

/** Stores what was bought, without its money. */
export async function storeBought(tx: Db, { orders, rentals, preorder }: Bought, facts: PastFacts): Promise<void> {
  await insertRows(
    tx,
    'activations',
    orders.map((order) => activationRow(order, facts)),
  )
  await insertRows(
    tx,
    'rentals',
    rentals.map((rental) => rentalRow(rental, facts)),
  )
  const waiting = preorderRows(preorder, facts)
  await insertRows(tx, 'preorders', [waiting.preorder])
  await insertRows(tx, 'charges', [...rentals.flatMap(chargeRowsOf), waiting.charge])
  await insertRows(tx, 'messages', messagesOf({ orders, rentals }, facts))
  const rented = rentals.filter(({ messages }) => messages.length > 0)
  await insertRows(tx, 'burnt_numbers', [
    ...burntRows(orders),
    ...rented.map(({ phone, serviceCode: service_code }) => ({ phone, service_code, reason: 'code' })),
  ])
  await insertRows(tx, 'used_reports', usedReportRows(orders))
  await insertRows(tx, 'events', [...orders.flatMap(eventsOfOrder), ...rentals.flatMap(eventsOfRental)])
  await insertRows(tx, 'supplier_call_hours', callHourRows(orders, facts))
  await insertRows(tx, 'supplier_events', supplierEventRows(facts))
}

/** Messages come in the order of time, as their ids do. */
function messagesOf({ orders, rentals }: Pick<Bought, 'orders' | 'rentals'>, facts: PastFacts) {
  return [
    ...orders.flatMap((order) => {
      const of = { phone: order.phone, reference: `${order.id}-1`, activationId: order.id }
      return order.messages.map((sms) => ({ sms, of }))
    }),
    ...rentals.flatMap((rental) => {
      const of = { phone: rental.phone, reference: `r${rental.id}-1`, rentalId: rental.id }
      return rental.messages.map((sms) => ({ sms, of }))
    }),
  ]
    .toSorted((one, other) => one.sms.atMs - other.sms.atMs)
    .map(({ sms, of }) => messageRow(sms, of, facts))
}
