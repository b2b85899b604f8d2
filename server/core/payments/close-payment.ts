import { SECOND } from '#contract/time.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import type { Context } from '#server/house/context.ts'
import { callGateway } from './call-gateway.ts'
import { toKnown } from './check-payment.ts'
import { closePayment as closeRow, noteUnpayable, type PaymentRow, postponeCheck } from './queries/payments.ts'

/** The time-out of a call to close a payment is short, because the payer waits for the reply. */
const CLOSE_LIMIT_MS = 3 * SECOND

/** Closes an open payment; money that still arrives is credited. Returns false if it is not open. */
export async function closePayment(ctx: Context, input: { userId: number; transactionId: string }): Promise<boolean> {
  const row = await closeRow(ctx.db, { ...input, now: ctx.clock.now() })
  if (row === null) return false
  await closeAtGateway(ctx, row)
  return true
}

/** Closes the payer's page at the gateway. The payment counts towards the payment limit of a new account until then. */
async function closeAtGateway(ctx: Context, row: PaymentRow): Promise<void> {
  const gateway = gatewaysOf(ctx).get(row.gateway_id)?.gateway
  const close = gateway?.close
  if (gateway === undefined || close === undefined || row.provider_id === null) return
  const payment = toKnown(row)
  const isClosed = await callGateway(ctx, gateway, (signal) => close(payment, signal), CLOSE_LIMIT_MS).then(
    () => true,
    // The failure to close is already logged and recorded. The payer may just have paid.
    () => false,
  )
  if (isClosed) await noteUnpayable(ctx.db, row.id)
  else await postponeCheck(ctx.db, { id: row.id, nextCheckAt: ctx.clock.now() })
}
