import type { Context } from '#server/context.ts'
import { createFiveSimSupplier } from '#server/suppliers/five-sim/five-sim-supplier.ts'
import { createResellSupplier } from '#server/suppliers/handler-api/handler-api-supplier.ts'
import { createSimBankSupplier } from '#server/suppliers/sim-bank/sim-bank-supplier.ts'
import { createSimulator } from '#server/suppliers/simulator/simulator.ts'
import { createSmppSupplier } from '#server/suppliers/smpp/smpp-supplier.ts'
import type { Supplier, SupplierRow } from '#server/suppliers/supplier.ts'
import { createWebhookSupplier } from '#server/suppliers/webhook/webhook-supplier.ts'

type SupplierFactory = (ctx: Context, row: SupplierRow) => Supplier

export const supplierKinds: Record<string, SupplierFactory> = {
  simulator: createSimulator,
  smpp: createSmppSupplier,
  webhook: createWebhookSupplier,
  'sim-bank': createSimBankSupplier,
  'handler-api': createResellSupplier,
  'five-sim': createFiveSimSupplier,
}

/** Those that sell numbers of another service (resold/). */
export const RESOLD_KINDS: readonly string[] = ['handler-api', 'five-sim']

/** Those that sell numbers of our own (own-numbers/). */
export const OWN_NUMBER_KINDS: readonly string[] = ['smpp', 'webhook']
