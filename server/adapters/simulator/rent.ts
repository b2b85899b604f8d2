import { FULL_NUMBER } from '#contract/rental.ts'
import { MINUTE, SECOND } from '#contract/time.ts'
import type { BoughtNumber, RentOffer, RentSupplier } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import type { PhoneOf } from '#server/house/seed/number-formats.ts'
import type { Behaviour } from './behaviours.ts'
import type { Deliveries } from './deliveries.ts'
import { findRentedOut, listRentedOut, type RentedOut } from './queries.ts'
import { listDemoRentOffers, rentBehaviour, rentCostMicros, writingServices } from './rent-offers.ts'
import type { Timers } from './timers.ts'

const SHORTEST_PAUSE_MS = 2 * MINUTE
const LONGEST_PAUSE_MS = 6 * MINUTE
const LEAST_PAUSE_MS = 30 * SECOND
const MAX_MESSAGES = 200
const MAX_RENTED = 10_000

type RentedPhone = { reference: string; serviceCode: string; phone: string; behaviour: Behaviour }

/** Simulates a supplier's rentals. The end of a rental is read from its row each time, so a restart loses nothing. */
export function createSimulatedRent(
  ctx: Context,
  settings: {
    supplierId: number
    delayScale: number
    deliveries: Deliveries
    timers: Timers
    isOffered: (offer: { serviceCode: string }) => boolean
    phoneOf: PhoneOf
  },
): RentSupplier & { promiseAll(): Promise<void> } {
  const { supplierId, delayScale, deliveries, timers, isOffered, phoneOf } = settings
  const find = (id: bigint) => findRentedOut(ctx.db, { supplierId, id })

  const goOn = (rented: RentedPhone): void => {
    const drawn = SHORTEST_PAUSE_MS + ctx.random.below(LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS)
    timers.later(rented.reference, Math.max(LEAST_PAUSE_MS, drawn * delayScale), async () => {
      const id = idOf(rented.reference)
      const row = id === null ? null : await find(id)
      if (row === null || row.state !== 'active' || row.sms_count >= MAX_MESSAGES) return
      await deliveries.draw(signed(rented), `${rented.reference}-${row.sms_count}-more`)()
      goOn(rented)
    })
  }

  let offers: RentOffer[] | undefined

  const signed = (rented: RentedPhone): RentedPhone => {
    if (rented.serviceCode !== FULL_NUMBER) return rented
    const serviceCode = writingServices[ctx.random.below(writingServices.length)] ?? rented.serviceCode
    return { ...rented, serviceCode }
  }

  const begin = (rented: RentedPhone): void => {
    const { behaviour, reference } = rented
    for (const [place, [shortest, longest]] of behaviour.messagesAfterMs.entries()) {
      const drawn = shortest + ctx.random.below(longest - shortest + 1)
      timers.later(reference, drawn * delayScale, deliveries.draw(signed(rented), `${reference}-0-${place}`))
    }
    if (behaviour.messagesAfterMs.length > 0) goOn(rented)
  }

  return {
    /** Schedules the messages of all rented numbers whose messages are not scheduled yet. */
    async promiseAll() {
      for (const row of await listRentedOut(ctx.db, { supplierId, limit: MAX_RENTED })) {
        const behaviour = rentBehaviour(row.operator)
        if (behaviour === undefined || behaviour.messagesAfterMs.length === 0 || row.phone === null) continue
        const rented = { reference: referenceOf(row), serviceCode: row.service_code, phone: row.phone, behaviour }
        if (timers.has(rented.reference) || row.sms_count >= MAX_MESSAGES) continue
        if (row.sms_count === 0) begin(rented)
        else goOn(rented)
      }
    },
    async listRentOffers() {
      offers ??= listDemoRentOffers().filter(isOffered)
      return offers
    },

    async rent(order) {
      const { reference, serviceCode } = order
      const behaviour = rentBehaviour(order.operator)
      const number = behaviour === undefined ? null : numberFor(order, behaviour, phoneOf)
      if (behaviour === undefined || number === null) return { outcome: 'refused', reason: 'no-numbers' }
      begin({ reference, serviceCode, phone: number.phone, behaviour })
      return number
    },

    async findRental(reference) {
      const id = idOf(reference)
      const row = id === null ? null : await find(id)
      const behaviour = rentBehaviour(row?.operator ?? row?.operator_wanted ?? null)
      if (row === null || referenceOf(row) !== reference || behaviour === undefined) return { outcome: 'none' }
      const { service_code: serviceCode, country_id: countryId, hours } = row
      const number = numberFor({ reference, serviceCode, countryId, hours }, behaviour, phoneOf)
      if (number === null) return { outcome: 'none' }
      if (row.state === 'reserving') begin({ reference, serviceCode, phone: number.phone, behaviour })
      return number
    },

    async extendRental({ reference, hours }) {
      const id = idOf(reference)
      const row = id === null ? null : await find(id)
      const behaviour = rentBehaviour(row?.operator ?? null)
      if (row === null || behaviour === undefined) return { outcome: 'refused' }
      const kind = { serviceCode: row.service_code, countryId: row.country_id, hours }
      const costMicros = rentCostMicros(kind, behaviour)
      return costMicros === null ? { outcome: 'refused' } : { outcome: 'extended', costMicros }
    },

    // The simulator answers at once, so an extension without an answer was not made.
    findExtension: async () => ({ outcome: 'none' }),

    async endRental({ reference }) {
      timers.forget(reference)
    },
  }
}

function referenceOf(row: Pick<RentedOut, 'id' | 'attempt'>): string {
  return `r${row.id}-${row.attempt}`
}

function idOf(reference: string): bigint | null {
  const text = /^r(\d{1,18})-\d{1,4}$/.exec(reference)?.[1]
  return text === undefined ? null : BigInt(text)
}

function numberFor(
  order: { reference: string; serviceCode: string; countryId: number; hours: number },
  behaviour: Behaviour,
  phoneOf: PhoneOf,
): BoughtNumber | null {
  const id = idOf(order.reference)
  const costMicros = rentCostMicros(order, behaviour)
  if (id === null || costMicros === null) return null
  return {
    outcome: 'bought',
    supplierReference: order.reference,
    // Odd serial numbers are for rentals and even ones for activations (simulator.ts), so no phone is used for both.
    phone: phoneOf(order.countryId, 2n * id + 1n),
    operator: behaviour.operator,
    costMicros,
  }
}
