import { SECOND } from '#contract/time.ts'
import type { Gateway } from '#server/core/gateways/gateway.ts'
import type { Context } from '#server/house/context.ts'
import { gatewayUnavailable } from '#server/house/errors/payment-errors.ts'
import { perContext } from '#server/house/memory.ts'
import { callGateway } from '../call-gateway.ts'
import { checkPayment, NEVER_BEGUN, settleFacts } from '../check-payment.ts'
import { releaseKeys, storeBegun } from '../queries/beginning.ts'
import type { PaymentRow } from '../queries/payments.ts'

const FIRST_CHECK_MS = 20 * SECOND

const callsOf = perContext(
  'payments being begun',
  { scope: 'process', nodes: 'own', lost: 'nothing: their gateways are asked what became of them' },
  () => new Map<bigint, Promise<PaymentRow>>(),
)

/** Asks the gateway to begin a payment. Concurrent requests share one call. Throws GATEWAY_UNAVAILABLE. */
export function askToBegin(ctx: Context, gateway: Gateway, row: PaymentRow): Promise<PaymentRow> {
  const calls = callsOf(ctx)
  const call = calls.get(row.id) ?? ask(ctx, gateway, row).finally(() => calls.delete(row.id))
  calls.set(row.id, call)
  return call
}

export function isBeingAsked(ctx: Context, { id }: PaymentRow): boolean {
  return callsOf(ctx).has(id)
}

export function firstCheckAt({ leastPauseMs = 0 }: Gateway, now: Date): Date {
  return new Date(now.getTime() + Math.max(FIRST_CHECK_MS, leastPauseMs))
}

async function ask(ctx: Context, gateway: Gateway, row: PaymentRow): Promise<PaymentRow> {
  const { press } = row
  // Payments made before the column `press` existed have ended by now.
  if (press === null) throw gatewayUnavailable()
  const { transaction_id: transactionId, system, amount_micros: amountMicros, currency, expires_at: expiresAt } = row
  const order = { transactionId, system, amountMicros, currency, expiresAt, userId: row.user_id, ...press }
  // The outcome of the gateway call is unknown and is polled later; the row stays `created`.
  const begun = await callGateway(ctx, gateway, (signal) => gateway.begin(order, signal)).catch(() => {
    throw gatewayUnavailable()
  })
  if (begun.outcome === 'refused') {
    ctx.log.warn({ gateway: gateway.code, reason: begun.reason }, 'a gateway refused a payment')
    await giveUp(ctx, row)
    throw gatewayUnavailable()
  }
  const now = ctx.clock.now()
  const stored = await storeBegun(ctx.db, { ...begun, id: row.id, nextCheckAt: firstCheckAt(gateway, now) })
  // A failed check does not matter, because the payment has begun and is checked again later.
  const later = (error: unknown) => ctx.log.warn({ error }, 'a payment that has begun could not be asked about')
  if (begun.guidance.form === 'instant') await checkPayment(ctx, row.id).catch(later)
  return stored ?? row
}

/** Ends a payment that the gateway certainly refused. The next request with its idempotency key begins a new one. */
async function giveUp(ctx: Context, row: PaymentRow): Promise<void> {
  await releaseKeys(ctx.db, row.id)
  await settleFacts(ctx, row, NEVER_BEGUN)
}
