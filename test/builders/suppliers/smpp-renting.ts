import { addNumbers } from '#server/adapters/shared/own-numbers/numbers.ts'
import { createSmppSupplier, type SmppSupplier } from '#server/adapters/smpp/smpp-supplier.ts'
import { createUser } from '#server/core/accounts/users/create-user.ts'
import type {
  BoughtNumber,
  PurchaseOrder,
  RefusedPurchase,
  RentOrder,
  RentSupplier,
} from '#server/core/suppliers/supplier.ts'
import type { SmppHouse } from '#test/fakes/smpp/smpp-house.ts'

export const signal = new AbortController().signal
export type Renting = { supplier: SmppSupplier; rent: RentSupplier }

/** Returns an SMPP supplier that rents out numbers. It is not started, because renting needs no connection. */
export function openRange({ ctx, supplierId }: SmppHouse, changes: object = {}): Renting {
  const settings = {
    mode: 'server',
    currency: 'usd',
    services: [
      { code: 'tg', cost: '0.50' },
      { code: 'wa', cost: '0.40' },
    ],
    rent: [
      { code: 'full', cost: { '24': '3', '168': '15' }, costByCountry: { '6': { '24': '4', '720': '40' } } },
      { code: 'tg', cost: { '24': '2' } },
    ],
    listen: { port: 0 },
    peers: [{ systemId: 'bank', password: 'secret' }],
    ...changes,
  }
  const supplier = createSmppSupplier(ctx, { id: supplierId, code: 'own-range', kind: 'smpp', settings })
  if (supplier.rent === undefined) throw new Error('numbers of our own can be rented')
  return { supplier, rent: supplier.rent }
}

const base = {
  buyerId: 1,
  countryId: 0,
  operator: null,
  maxCostMicros: 100_000_000n,
  currency: 'usd' as const,
  expiresAt: new Date('2026-03-02T12:00:00Z'),
}
export function rentOrder(reference: string, changes: Partial<RentOrder> = {}): RentOrder {
  return { ...base, reference, serviceCode: 'full', hours: 24, ...changes }
}
export function activationOrder(reference: string, serviceCode = 'tg'): PurchaseOrder {
  return { ...base, reference, serviceCode }
}
export const held = (reference: string) => ({ reference, supplierReference: reference, phone: '', serviceCode: '' })
export const outcomeOf = (result: BoughtNumber | RefusedPurchase) =>
  result.outcome === 'bought' ? result.phone : result.reason

export async function fillRange(
  house: SmppHouse,
  count: number,
  { countryId = 0, operator = 'mts', from = 79_000_000_001 } = {},
) {
  const numbers = Array.from({ length: count }, (_, index) => ({ phone: String(from + index), countryId, operator }))
  await addNumbers(house.ctx.db, house.supplierId, numbers)
}

export async function hearMessage({ ctx, supplierId }: SmppHouse, phone: string) {
  const now = ctx.clock.now()
  const userId = await createUser(ctx.db, {
    email: `${phone}@example.test`,
    name: 'Renter',
    passwordHash: null,
    role: 'user',
    zone: 'ru',
    locale: 'ru',
    currency: 'rub',
    emailVerifiedAt: now,
    now,
  })
  await ctx.db.query({
    text: `WITH rented AS (
        INSERT INTO rentals (user_id, service_code, country_id, state, hours, supplier_id, cost_limit_micros, phone, channel,
          created_at, cancel_until, expires_at)
        VALUES ($userId, 'tg', 0, 'active', 24, $supplierId, 0, $phone, 'site', $now, $now, $now) RETURNING id
      )
      INSERT INTO messages (supplier_id, phone, sender, body, rental_id, received_at)
      SELECT $supplierId, $phone, 'Telegram', 'hello', id, $now FROM rented`,
    values: { phone, supplierId, now, userId },
  })
}

export async function activationStock({ supplier }: Renting, serviceCode: string) {
  const offers = await supplier.listOffers(signal)
  return offers.filter((offer) => offer.serviceCode === serviceCode).map(({ stock }) => stock)
}
