import { SECOND } from '#contract/time.ts'
import { gatewaysOf } from '#server/core/gateways/registry.ts'
import type { Context } from '#server/house/context.ts'
import { callGateway } from './call-gateway.ts'
import { toKnown } from './check-payment.ts'
import { closePayment as closeRow, noteUnpayable, type PaymentRow, postponeCheck } from './queries/payments.ts'

/** The payer waits for it. */
const CLOSE_LIMIT_MS = 3 * SECOND

/** The payer gives it up. What comes is credited all the same. False: it is not open. */
export async function closePayment(ctx: Context, input: { userId: number; transactionId: string }): Promise<boolean> {
  const row = await closeRow(ctx.db, { ...input, now: ctx.clock.now() })
  if (row === null) return false
  await closeAtGateway(ctx, row)
  return true
}

/** Until its page is closed too, it counts among what a new account has begun. */
async function closeAtGateway(ctx: Context, row: PaymentRow): Promise<void> {
  const gateway = gatewaysOf(ctx).get(row.gateway_id)?.gateway
  const close = gateway?.close
  if (gateway === undefined || close === undefined || row.provider_id === null) return
  const payment = toKnown(row)
  const isClosed = await callGateway(ctx, gateway, (signal) => close(payment, signal), CLOSE_LIMIT_MS).then(
    () => true,
    // It is logged and noted. Perhaps somebody has paid just now.
    () => false,
  )
  if (isClosed) await noteUnpayable(ctx.db, row.id)
  else await postponeCheck(ctx.db, { id: row.id, nextCheckAt: ctx.clock.now() })
}
