import { z } from 'zod'
import type { Gateway, RefundOrder, RefundOutcome } from '#server/core/gateways/gateway.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { announcePayment } from './announce.ts'
import { callGateway } from './call-gateway.ts'
import { checkPayment, toKnown } from './check-payment.ts'
import { findReversal, type ReversalRow, storeRefundAnswer } from './queries/money.ts'
import { findPayment } from './queries/payments.ts'
import { settlePayment } from './settle-payment.ts'

const payloadSchema = z.object({ reversalId: z.coerce.bigint() })

/**
 * Requests a refund from its gateway; a throw repeats the job with the same reference. A refund that staff want to
 * cancel is only looked up.
 */
export async function refundPayment(ctx: Context, payload: unknown): Promise<void> {
  const { reversalId } = payloadSchema.parse(payload)
  const reversal = await findReversal(ctx.db, reversalId)
  if (reversal === null || !isUnanswered(reversal)) return
  const payment = await findPayment(ctx.db, reversal.payment_id)
  const gateway = payment === null ? undefined : gatewaysOf(ctx).get(payment.gateway_id)?.gateway
  if (payment === null || gateway === undefined) throw new Error('the gateway of a refund is not at work')
  const order = { reference: reversalId.toString(), payment: toKnown(payment), amountMicros: reversal.amount_micros }
  const answer = await (reversal.cancel_at === null ? ask : lookFor)(ctx, gateway, order)
  if (answer.outcome === 'refused') {
    ctx.log.error({ reversalId: reversalId.toString(), reason: answer.reason }, 'a gateway refused a refund')
    return giveBack(ctx, reversal)
  }
  const { outcome: state, providerId } = answer
  const isStored = await storeRefundAnswer(ctx.db, { id: reversalId, state, providerId, now: ctx.clock.now() })
  if (!isStored || state === 'asked') await checkPayment(ctx, payment.id)
  const now = isStored ? null : await findReversal(ctx.db, reversalId)
  // The id in the gateway's answer belongs to another refund. The job fails visibly for staff instead of asking
  // forever.
  if (now !== null && isUnanswered(now)) throw new Error(`${providerId} is the id of another refund`)
}

function ask(ctx: Context, gateway: Gateway, order: RefundOrder): Promise<RefundOutcome> {
  const { refund } = gateway
  if (refund === undefined) throw new Error(`${gateway.code} makes no refunds`)
  return callGateway(ctx, gateway, (signal) => refund(order, signal))
}

async function lookFor(ctx: Context, gateway: Gateway, order: RefundOrder): Promise<RefundOutcome> {
  const { findRefund } = gateway
  if (findRefund === undefined) throw new Error(`${gateway.code} makes no refunds`)
  const found = await callGateway(ctx, gateway, (signal) => findRefund(order, signal))
  return found ?? { outcome: 'refused', reason: 'it was not made, and staff have ended it' }
}

function isUnanswered({ state, provider_id: providerId }: ReversalRow): boolean {
  return state === 'asked' && providerId === null
}

async function giveBack(ctx: Context, { id, payment_id: paymentId, amount_micros: amountMicros }: ReversalRow) {
  const now = ctx.clock.now()
  const providerId = `refused-${id}`
  const settled = await transaction(ctx.db, async (tx) => {
    if (!(await storeRefundAnswer(tx, { id, state: 'asked', providerId, now }))) return null
    const reversals = [{ kind: 'refund', providerId, amountMicros, state: 'failed' } as const]
    return settlePayment(tx, { id: paymentId, facts: { progress: 'pending', deposits: [], reversals }, now })
  })
  if (settled !== null) announcePayment(ctx, settled)
}
