import type { Currency } from '#contract/money.ts'
import type { Context } from '#server/context.ts'
import type { BoughtNumber, PurchaseOrder, RefusedPurchase, Supplier } from '#server/suppliers/supplier.ts'
import type { Attempt } from './ask-in-turn.ts'
import type { Settle } from './settle-number.ts'
import { withTimeout } from './with-timeout.ts'

type Ordered = {
  user_id: number
  service_code: string
  country_id: number
  expires_at: Date
  /** Of an activation. */
  excluded_prefixes?: readonly string[]
}

/**
 * One attempt: asks the supplier for a number as the offer has it, and settles what it sold. Never throws: where no answer
 * came, a broken one, or one that could not be settled, the outcome is `unknown`. `reference` is our key for the attempt.
 */
export async function askSupplier<Row extends Ordered>(
  ctx: Context,
  input: {
    supplier: Supplier
    row: Row
    offer: { operator: string; costMicros: bigint; currency: Currency }
    reference: string
    limitMs: number
    /** The name of the call in the metrics. */
    call: 'buy' | 'rent'
    ask(order: PurchaseOrder, signal: AbortSignal): Promise<BoughtNumber | RefusedPurchase>
    settle: Settle<Row>
  },
): Promise<Attempt<Row>> {
  const { supplier, row, offer, reference, call } = input
  const order = {
    reference,
    buyerId: row.user_id,
    ...(row.excluded_prefixes !== undefined && { excludedPrefixes: row.excluded_prefixes }),
    serviceCode: row.service_code,
    countryId: row.country_id,
    operator: offer.operator,
    maxCostMicros: offer.costMicros,
    currency: offer.currency,
    expiresAt: row.expires_at,
  }
  // Its offers are hidden within moments; a purchase that had already chosen one goes on to the next supplier.
  if (supplier.link?.().up === false) return { result: 'refused' }
  try {
    const answer = await withTimeout(input.limitMs, (signal) => input.ask(order, signal))
    ctx.metrics.supplierCalls.inc({ supplier: supplier.code, call, result: answer.outcome })
    if (answer.outcome === 'refused') return { result: 'refused' }
    return await input.settle(ctx, supplier, row, answer)
  } catch (error) {
    ctx.metrics.supplierCalls.inc({ supplier: supplier.code, call, result: 'unknown' })
    ctx.log.warn({ error, supplier: supplier.code, call, reference }, 'a purchase has an unknown outcome')
    return { result: 'unknown' }
  }
}
