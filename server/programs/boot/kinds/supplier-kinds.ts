import { createFiveSimSupplier } from '#server/adapters/five-sim/buy/five-sim-supplier.ts'
import { createResellSupplier } from '#server/adapters/handler-api/handler-api-supplier.ts'
import { createSimBankSupplier } from '#server/adapters/sim-bank/buy/sim-bank-supplier.ts'
import { createSimulator } from '#server/adapters/simulator/simulator.ts'
import { createSmppSupplier } from '#server/adapters/smpp/smpp-supplier.ts'
import { createWebhookSupplier } from '#server/adapters/webhook/webhook-supplier.ts'
import type { Supplier, SupplierRow } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'

type SupplierFactory = (ctx: Context, row: SupplierRow) => Supplier

export const supplierKinds: Record<string, SupplierFactory> = {
  simulator: createSimulator,
  smpp: createSmppSupplier,
  webhook: createWebhookSupplier,
  'sim-bank': createSimBankSupplier,
  'handler-api': createResellSupplier,
  'five-sim': createFiveSimSupplier,
}

/** Kinds of suppliers that resell numbers of other services (adapters/shared/resold). */
export const RESOLD_KINDS: readonly string[] = ['handler-api', 'five-sim']

/** Kinds of suppliers that sell the operator's own numbers (adapters/shared/own-numbers). */
export const OWN_NUMBER_KINDS: readonly string[] = ['smpp', 'webhook']
