import { expect, test } from 'vitest'
import { createSmppSupplier, type SmppSupplier } from '#server/adapters/smpp/smpp-supplier.ts'
import { senderBookOf } from '#server/core/numbers/messages/sender-book.ts'
import type { BoughtNumber, Ending, PurchaseOrder, RefusedPurchase } from '#server/core/suppliers/supplier.ts'
import { createSmppHouse, type SmppHouse } from '#test/fakes/smpp/smpp-house.ts'
import { addNumbers } from './numbers.ts'

const signal = new AbortController().signal

/** Creates a supplier without starting it, because buying needs no connection. If `dark`, no senders are known. */
function supplierOf({ ctx, supplierId, receive }: SmppHouse, { dark = false } = {}): SmppSupplier {
  const services = ['tg', 'wa'].map((code) => ({ code, cost: '0.50' }))
  const peers = [{ systemId: 'bank', password: 'secret' }]
  const settings = { mode: 'server', currency: 'usd', services, listen: { port: 0 }, peers }
  const row = { id: supplierId, code: 'own-range', kind: 'smpp', settings }
  if (dark) senderBookOf.forget(ctx)
  return createSmppSupplier(ctx, row, receive)
}

function order(reference: string, changes: Partial<PurchaseOrder> = {}): PurchaseOrder {
  return {
    reference,
    buyerId: 1,
    serviceCode: 'tg',
    countryId: 0,
    operator: null,
    maxCostMicros: 1_000_000n,
    currency: 'usd',
    expiresAt: new Date('2026-03-01T12:20:00Z'),
    ...changes,
  }
}

const phoneOf = (result: BoughtNumber | RefusedPurchase) => (result.outcome === 'bought' ? result.phone : result.reason)

async function fill(house: SmppHouse, count: number) {
  const phones = Array.from({ length: count }, (_, index) => String(79_000_000_001 + index))
  const numbers = phones.map((phone) => ({ phone, countryId: 0, operator: 'mts' }))
  await addNumbers(house.ctx.db, house.supplierId, numbers)
}

function ender(supplier: SmppSupplier) {
  return (reference: string, ending: Ending) =>
    supplier.end({ reference, supplierReference: reference, phone: '', serviceCode: 'tg' }, ending, signal)
}

test('a number that no buyer was shown is sold to another account at once, and was no offer', async () => {
  await using house = await createSmppHouse()
  await fill(house, 1)
  const supplier = supplierOf(house)
  const end = ender(supplier)
  const bought = async (reference: string, buyerId: number) =>
    phoneOf(await supplier.buy(order(reference, { buyerId }), signal))
  for (let turn = 0; turn < 5; turn += 1) {
    expect(await bought(`late-${turn}`, turn)).toBe('79000000001')
    await end(`late-${turn}`, 'unsold')
  }
  expect(await supplier.listOffers(signal)).toContainEqual(expect.objectContaining({ serviceCode: 'tg', stock: 1 }))
  // A number that was shown to a buyer and given back cannot be sold to others for a while.
  expect(await bought('seen', 1)).toBe('79000000001')
  await end('seen', 'cancelled')
  expect(await bought('soon', 2)).toBe('no-numbers')
  expect(await supplier.listOffers(signal)).toContainEqual(expect.objectContaining({ serviceCode: 'tg', stock: 0 }))
  house.advance(20 * 60)
  expect(await bought('later', 2)).toBe('79000000001')
})

test('behind many numbers that are closed to the buyer the first open one is found', async () => {
  await using house = await createSmppHouse()
  const supplier = supplierOf(house)
  const dark = supplierOf(house, { dark: true })
  await fill(house, 41)
  const taken = new Set<string>()
  for (let count = 0; count < 40; count += 1) taken.add(phoneOf(await supplier.buy(order(`tg-${count}`), signal)))
  for (let ended = 0; ended < 20; ended += 1) await ender(supplier)(`tg-${ended}`, 'cancelled')
  const wanted = { buyerId: 2, serviceCode: 'wa' }
  const left = phoneOf(await dark.buy(order('wa-1', wanted), signal))
  expect([left, taken.has(left), taken.size]).toEqual([expect.stringMatching(/^790000000\d\d$/), false, 40])
  expect(phoneOf(await dark.buy(order('wa-2', wanted), signal))).toBe('no-numbers')
  // After its activation ends, a number can be bought again by its last buyer at once, and by others after a pause.
  expect(phoneOf(await dark.buy(order('wa-3', { ...wanted, buyerId: 1 }), signal))).toMatch(/^790000000\d\d$/)
  house.advance(20 * 60)
  expect(phoneOf(await dark.buy(order('wa-4', wanted), signal))).toMatch(/^790000000\d\d$/)
})
