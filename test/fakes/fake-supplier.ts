import type {
  BoughtNumber,
  Ending,
  HeldNumber,
  Offer,
  PurchaseOrder,
  RefusedPurchase,
  RentOffer,
  Supplier,
} from '#server/core/suppliers/supplier.ts'
import { createFakeRent, type FakeRent } from './fake-rent.ts'

/** A supplier that behaves as the test sets. It records requests and throws on wrong ones. */
export type FakeSupplier = Supplier & {
  offers: Offer[]
  repeats: boolean
  readonly orders: PurchaseOrder[]
  readonly sold: Map<string, BoughtNumber>
  readonly ended: { number: HeldNumber; ending: Ending }[]
  readonly askedAgain: HeldNumber[]
  readonly finds: string[]
  readonly rent: FakeRent
  /** The handlers of the next purchases. By default they sell the next number. */
  onBuy: (order: PurchaseOrder, signal: AbortSignal) => Promise<BoughtNumber | RefusedPurchase>
  onAskAgain: (number: HeldNumber) => Promise<boolean>
  onFind: (reference: string) => Promise<BoughtNumber | { outcome: 'none' }>
  sell(order: PurchaseOrder): BoughtNumber
}

export const fakeOffer: Offer = {
  serviceCode: 'tg',
  countryId: 2,
  operator: 'altel',
  costMicros: 10_000_000n,
  currency: 'rub',
  stock: 100,
}

const REFERENCE_PATTERN = /^\d+-\d+$/

export function createFakeSupplier(input: {
  id: number
  code: string
  offers?: Offer[]
  rentOffers?: RentOffer[]
}): FakeSupplier {
  let serial = 0
  const sold = new Map<string, BoughtNumber>()
  const fake: FakeSupplier = {
    id: input.id,
    code: input.code,
    offers: input.offers ?? [fakeOffer],
    repeats: false,
    orders: [],
    sold,
    ended: [],
    askedAgain: [],
    finds: [],
    rent: createFakeRent({ ...input, offers: input.rentOffers ?? [] }),
    sell(order) {
      const before = sold.get(order.reference)
      if (before !== undefined) return before
      serial += 1
      const number: BoughtNumber = {
        outcome: 'bought',
        supplierReference: `${input.code}-${serial}`,
        phone: order.repeatOf ?? `7705${String(input.id).padStart(2, '0')}${String(serial).padStart(5, '0')}`,
        operator: order.operator ?? 'altel',
        costMicros: order.maxCostMicros,
      }
      sold.set(order.reference, number)
      return number
    },
    onBuy: async (order) => fake.sell(order),
    onAskAgain: async () => true,
    onFind: async (reference) => sold.get(reference) ?? { outcome: 'none' },
    start: async () => undefined,
    stop: async () => undefined,
    // The service takes the same array as an unchanged list, so the offers are copied each time.
    listOffers: async () => [...fake.offers],
    async buy(order, signal) {
      if (!REFERENCE_PATTERN.test(order.reference)) throw new Error(`not a reference of ours: ${order.reference}`)
      if (fake.orders.some((earlier) => earlier.reference === order.reference)) {
        throw new Error(`asked twice to buy ${order.reference}`)
      }
      fake.orders.push(order)
      return fake.onBuy(order, signal)
    },
    async find(reference) {
      fake.finds.push(reference)
      return fake.onFind(reference)
    },
    async askAgain(number) {
      fake.askedAgain.push(number)
      return fake.onAskAgain(number)
    },
    async end(number, ending) {
      fake.ended.push({ number, ending })
    },
  }
  return fake
}
