import { createFiveSimSupplier } from '#server/adapters/five-sim/buy/five-sim-supplier.ts'
import type { HeldNumber, PurchaseOrder, Supplier } from '#server/core/suppliers/supplier.ts'
import { type FiveSimHouse, openFiveSimHouse } from '#test/fakes/five-sim/five-sim-house.ts'
import type { TestApp } from '#test/harness/harness.ts'

export async function addFiveSim(
  t: TestApp,
  settings: object = {},
): Promise<{ house: FiveSimHouse; supplier: Supplier; [Symbol.asyncDispose](): Promise<void> }> {
  const house = await openFiveSimHouse(() => t.clock.now())
  const supplier = await t.addReal(createFiveSimSupplier, {
    code: 'five',
    kind: 'five-sim',
    settings: {
      url: house.url,
      key: house.key,
      currency: 'rub',
      privateHost: true,
      callsPerSecond: 100,
      pollSeconds: 0.02,
      ...settings,
    },
  })
  return {
    house,
    supplier,
    async [Symbol.asyncDispose]() {
      await supplier.stop()
      await house[Symbol.asyncDispose]()
    },
  }
}

export const signal = new AbortController().signal

export function orderOf(t: TestApp, reference: string): PurchaseOrder {
  return {
    reference,
    buyerId: 1,
    serviceCode: 'tg',
    countryId: 2,
    operator: 'mixed',
    currency: 'rub',
    maxCostMicros: 12_500_000n,
    expiresAt: new Date(t.clock.now().getTime() + 1_200_000),
  }
}

export function heldOf(house: FiveSimHouse, reference: string): HeldNumber {
  const sold = [...house.sold.values()].at(-1)
  if (sold === undefined) throw new Error('nothing was sold')
  return { reference, supplierReference: String(sold.id), phone: sold.phone.slice(1), serviceCode: 'tg' }
}

type Kept = { body: string; reference: string }

export async function messagesOf(t: TestApp, supplierId: number): Promise<Kept[]> {
  const { rows } = await t.ctx.db.query<Kept>({
    text: 'SELECT body, reference FROM messages WHERE supplier_id = $1 ORDER BY id',
    values: [supplierId],
  })
  return rows
}
