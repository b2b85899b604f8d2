import { z } from 'zod'
import type {
  BoughtNumber,
  HeldNumber,
  Offer,
  PurchaseOrder,
  RefusedPurchase,
  Supplier,
  SupplierRow,
} from '#server/core/suppliers/supplier.ts'
import { boundedCache } from '#server/house/bounded-cache.ts'
import type { Context } from '#server/house/context.ts'
import { demoCostMicros, demoCountryIds, demoServiceCodes, demoStock } from '#server/house/seed/demo-offers.ts'
import { makePhone, makePlayPhone, type PhoneOf } from '#server/house/seed/number-formats.ts'
import { type Behaviour, behaviourOf, behaviours } from './behaviours.ts'
import { createDeliveries } from './deliveries.ts'
import { createPromises } from './promises.ts'
import { findSold } from './queries.ts'
import { createSimulatedRent } from './rent.ts'
import { createTimers } from './timers.ts'

const settingsSchema = z.object({
  delayScale: z.number().min(0).max(100).default(1),
  services: z.array(z.string()).max(100).optional(),
})

const MAX_BUYERS = 10_000

/** Simulates a supplier. A reference means one number even after a restart, because the phone is derived from it. */
export function createSimulator(ctx: Context, row: SupplierRow): Supplier {
  const settings = settingsSchema.parse(row.settings)
  const timers = createTimers(ctx.log)
  const schedule = { supplierId: row.id, delayScale: settings.delayScale, timers }
  const phoneOf = row.sandbox === true ? makePlayPhone : makePhone
  const isOffered = ({ serviceCode }: { serviceCode: string }) => settings.services?.includes(serviceCode) ?? true
  const deliveries = createDeliveries(ctx, schedule)
  const rent = createSimulatedRent(ctx, { ...schedule, deliveries, isOffered, phoneOf })
  /** The purchases from a flaky operator, by buyer, so that one buyer's purchases do not make another's fail. */
  const flakyPurchases = boundedCache<number, number>(MAX_BUYERS)
  let offers: Offer[] | undefined
  const promises = createPromises(ctx, { supplierId: row.id, deliveries, rent, timers })
  const { promise } = promises

  return {
    id: row.id,
    code: row.code,
    ...(row.sandbox === true && { sandbox: true as const }),
    hasFixedLists: true,
    repeats: true,
    rent,

    start: promises.start,
    stop: promises.stop,

    async listOffers() {
      // The same list is returned each time, so that a refresh need not compare offers.
      offers ??= listDemoOffers().filter(isOffered)
      return offers
    },

    async buy(order: PurchaseOrder): Promise<BoughtNumber | RefusedPurchase> {
      const behaviour = behaviourOf(order.operator ?? 'swift')
      const number = behaviour === undefined ? null : numberFor(order, behaviour, phoneOf)
      if (behaviour === undefined || number === null) return { outcome: 'refused', reason: 'no-numbers' }
      if (behaviour.failsEvery !== undefined) {
        const place = (flakyPurchases.get(order.buyerId) ?? 0) + 1
        flakyPurchases.set(order.buyerId, place)
        if (place % behaviour.failsEvery === 0) return { outcome: 'refused', reason: 'no-numbers' }
      }
      const { reference, serviceCode, expiresAt } = order
      promise({ reference, serviceCode, expiresAt, phone: number.phone, behaviour }, 0)
      return number
    },

    async find(reference) {
      const id = idOf(reference)
      const sold = id === null ? null : await findSold(ctx.db, { supplierId: row.id, id })
      if (sold === null || `${sold.id}-${sold.attempt}` !== reference) return { outcome: 'none' }
      const behaviour = behaviourOf(sold.operator ?? sold.operator_wanted ?? 'swift')
      const { service_code: serviceCode, country_id: countryId, expires_at: expiresAt } = sold
      const repeatOf = sold.repeated_phone ?? undefined
      const order = { reference, serviceCode, countryId, ...(repeatOf !== undefined && { repeatOf }) }
      const number = behaviour === undefined ? null : numberFor(order, behaviour, phoneOf)
      if (behaviour === undefined || number === null) return { outcome: 'none' }
      if (sold.state === 'reserving') {
        promise({ reference, serviceCode, expiresAt, phone: number.phone, behaviour }, 0)
      }
      return number
    },

    async askAgain(number: HeldNumber) {
      const id = idOf(number.reference)
      const sold = id === null ? null : await findSold(ctx.db, { supplierId: row.id, id })
      const behaviour = behaviourOf(sold?.operator ?? null)
      if (sold === null || behaviour === undefined) return false
      const { reference, serviceCode, phone } = number
      promise({ reference, serviceCode, phone, expiresAt: sold.expires_at, behaviour }, sold.sms_count)
      return true
    },

    async end(number, ending) {
      // After expiry the messages still come, to show that a late message is not charged.
      if (ending !== 'expired') timers.forget(number.reference)
    },
  }
}

function idOf(reference: string): bigint | null {
  const text = /^(\d{1,18})-\d{1,4}$/.exec(reference)?.[1]
  return text === undefined ? null : BigInt(text)
}

function isOffered(serviceCode: string, countryId: number): boolean {
  return demoServiceCodes.includes(serviceCode) && demoCountryIds.includes(countryId)
}

function costOf(serviceCode: string, countryId: number, behaviour: Behaviour): bigint {
  return (demoCostMicros(serviceCode, countryId) * BigInt(behaviour.costPercent)) / 100n
}

function numberFor(
  order: { reference: string; serviceCode: string; countryId: number; repeatOf?: string },
  behaviour: Behaviour,
  phoneOf: PhoneOf,
): BoughtNumber | null {
  const id = idOf(order.reference)
  if (id === null || !isOffered(order.serviceCode, order.countryId)) return null
  return {
    outcome: 'bought',
    supplierReference: order.reference,
    // Even serial numbers are for activations and odd ones for rentals (rent.ts), so no phone is used for both.
    phone: order.repeatOf ?? phoneOf(order.countryId, 2n * id),
    operator: behaviour.operator,
    costMicros: costOf(order.serviceCode, order.countryId, behaviour),
  }
}

let demoOffers: Offer[] | undefined

function listDemoOffers(): Offer[] {
  demoOffers ??= demoServiceCodes.flatMap((serviceCode) =>
    demoCountryIds.flatMap((countryId) => offersOf(serviceCode, countryId)),
  )
  return demoOffers
}

function offersOf(serviceCode: string, countryId: number): Offer[] {
  const [activation, stock] = [demoCostMicros(serviceCode, countryId), demoStock(serviceCode, countryId)]
  return behaviours.map(({ operator, costPercent }) => {
    const costMicros = (activation * BigInt(costPercent)) / 100n
    return { serviceCode, countryId, operator, costMicros, currency: 'rub', stock }
  })
}
