import { SECOND } from '#contract/time.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Supplier } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { askSupplier } from './ask-supplier.ts'
import { storeBalance } from './queries/standings.ts'

const BALANCE_TIMEOUT_MS = 10 * SECOND

/** Reads our balance at each supplier that reports it. Without an answer, the last known balance and its time stay. */
export async function readBalances(ctx: Context): Promise<void> {
  await Promise.all(
    suppliersOf(ctx)
      .all()
      .map((supplier) => readBalance(ctx, supplier)),
  )
}

async function readBalance(ctx: Context, supplier: Supplier): Promise<void> {
  const { id: supplierId, code, balance } = supplier
  if (balance === undefined) return
  try {
    const left = await askSupplier(ctx, { supplier, call: 'balance', limitMs: BALANCE_TIMEOUT_MS }, (signal) =>
      balance.call(supplier, signal),
    )
    if (left === null) return
    const { micros, currency, at } = left
    await storeBalance(ctx.db, { supplierId, micros, currency, now: at })
    ctx.metrics.supplierBalance.set({ supplier: code, currency: left.currency }, Number(left.micros) / 1_000_000)
  } catch (error) {
    ctx.log.warn({ error, supplier: code }, 'a supplier does not say its balance')
  }
}
