import type {
  BoughtNumber,
  HeldNumber,
  RefusedPurchase,
  RentalExtension,
  RentOffer,
  RentOrder,
  RentSupplier,
} from '#server/core/suppliers/supplier.ts'

type Extended = Awaited<ReturnType<RentSupplier['extendRental']>>
type Found = Awaited<ReturnType<RentSupplier['findExtension']>>

/** The part of the fake supplier that rents out numbers. It records requests and throws on wrong ones. */
export type FakeRent = RentSupplier & {
  offers: RentOffer[]
  readonly orders: RentOrder[]
  readonly rented: Map<string, BoughtNumber>
  readonly extensions: RentalExtension[]
  readonly ended: HeldNumber[]
  readonly finds: string[]
  /** The cost of each extension by the reference that the service sent. */
  readonly extended: Map<string, bigint>
  /** The handlers of the next calls. By default they rent out the next number or extend a rental. */
  onRent: (order: RentOrder, signal: AbortSignal) => Promise<BoughtNumber | RefusedPurchase>
  onExtend: (extension: RentalExtension, signal: AbortSignal) => Promise<Extended>
  onFindExtension: (extensionReference: string) => Promise<Found>
  onFind: (reference: string) => Promise<BoughtNumber | { outcome: 'none' }>
  onEnd: (number: HeldNumber) => Promise<void>
  extend(extension: Pick<RentalExtension, 'extensionReference' | 'maxCostMicros'>): Extended
  give(order: Pick<RentOrder, 'reference' | 'operator' | 'maxCostMicros'>): BoughtNumber
}

/** An offer of a number for all services for a day, sold for 130.00. */
export const fakeRentOffer: RentOffer = {
  serviceCode: 'full',
  countryId: 2,
  operator: 'altel',
  hours: 24,
  costMicros: 100_000_000n,
  currency: 'rub',
  stock: 10,
}

/** Offers for all services for 24, 4 and 1440 hours, and for Telegram for 24 and 4. The price is 1.3 times the cost. */
export const fakeRentOffers: RentOffer[] = [
  fakeRentOffer,
  { ...fakeRentOffer, hours: 4, costMicros: 40_000_000n },
  { ...fakeRentOffer, hours: 1440, costMicros: 1_000_000_000n },
  { ...fakeRentOffer, serviceCode: 'tg', costMicros: 50_000_000n },
  { ...fakeRentOffer, serviceCode: 'tg', hours: 4, costMicros: 20_000_000n },
]

const REFERENCE_PATTERN = /^r\d+-\d+$/
const EXTENSION_PATTERN = /^x\d+$/

export function createFakeRent(input: { id: number; code: string; offers: RentOffer[] }): FakeRent {
  let serial = 0
  const rented = new Map<string, BoughtNumber>()
  const extended = new Map<string, bigint>()
  const fake: FakeRent = {
    offers: input.offers,
    orders: [],
    rented,
    extensions: [],
    ended: [],
    finds: [],
    extended,
    extend({ extensionReference, maxCostMicros: costMicros }) {
      extended.set(extensionReference, costMicros)
      return { outcome: 'extended', costMicros }
    },
    give(order) {
      const before = rented.get(order.reference)
      if (before !== undefined) return before
      serial += 1
      const number: BoughtNumber = {
        outcome: 'bought',
        supplierReference: `${input.code}-rent-${serial}`,
        phone: `7707${String(input.id).padStart(2, '0')}${String(serial).padStart(5, '0')}`,
        operator: order.operator ?? 'altel',
        costMicros: order.maxCostMicros,
      }
      rented.set(order.reference, number)
      return number
    },
    onRent: async (order) => fake.give(order),
    onExtend: async (extension) => fake.extend(extension),
    onFindExtension: async (extensionReference) => {
      const costMicros = extended.get(extensionReference)
      return costMicros === undefined ? { outcome: 'none' } : { outcome: 'extended', costMicros }
    },
    onFind: async (reference) => rented.get(reference) ?? { outcome: 'none' },
    onEnd: async () => undefined,
    listRentOffers: async () => fake.offers,
    async rent(order, signal) {
      if (!REFERENCE_PATTERN.test(order.reference)) throw new Error(`not a rental of ours: ${order.reference}`)
      if (fake.orders.some((earlier) => earlier.reference === order.reference)) {
        throw new Error(`asked twice to rent ${order.reference}`)
      }
      fake.orders.push(order)
      return fake.onRent(order, signal)
    },
    async findRental(reference) {
      if (!REFERENCE_PATTERN.test(reference)) throw new Error(`not a rental of ours: ${reference}`)
      fake.finds.push(reference)
      return fake.onFind(reference)
    },
    async extendRental(extension, signal) {
      if (!EXTENSION_PATTERN.test(extension.extensionReference)) throw new Error('not an extension of ours')
      fake.extensions.push(extension)
      return fake.onExtend(extension, signal)
    },
    async findExtension({ reference, extensionReference }) {
      if (!rented.has(reference)) throw new Error(`not rented: ${reference}`)
      if (!EXTENSION_PATTERN.test(extensionReference)) throw new Error('not an extension of ours')
      fake.finds.push(extensionReference)
      return fake.onFindExtension(extensionReference)
    },
    async endRental(number) {
      await fake.onEnd(number)
      fake.ended.push(number)
    },
  }
  return fake
}
