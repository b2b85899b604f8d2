import { createResellSupplier } from '#server/adapters/handler-api/handler-api-supplier.ts'
import type { DialectName } from '#server/adapters/handler-api/wire/dialects.ts'
import type { PurchaseOrder, Supplier } from '#server/core/suppliers/supplier.ts'
import { type FieldHouse, openFieldHouse } from '#test/fakes/handler-api/field-house.ts'
import type { TestApp } from '#test/harness/harness.ts'

/** Adds a supplier of the kind handler_api that talks to a fake server in the given dialect. */
export async function addField(
  t: TestApp,
  dialect: Exclude<DialectName, 'ringpost'>,
  settings: object = {},
): Promise<{ house: FieldHouse; supplier: Supplier; [Symbol.asyncDispose](): Promise<void> }> {
  const house = await openFieldHouse(dialect, () => t.clock.now())
  const supplier = await t.addReal(createResellSupplier, {
    code: dialect,
    kind: 'handler-api',
    settings: {
      url: house.url,
      key: house.key,
      dialect,
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
