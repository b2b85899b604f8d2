import { z } from 'zod'
import { parseDecimal } from '#contract/money.ts'
import {
  paymentInputSchema,
  paymentReplySchema,
  paymentsFilterSchema,
  paymentsHistorySchema,
  paymentsReplySchema,
  voucherInputSchema,
  voucherReplySchema,
} from '#contract/payment.ts'
import { originOf } from '#server/house/config/zone-origin.ts'
import type { Context } from '#server/house/context.ts'
import { wordsOf } from '#server/house/errors/error-words.ts'
import { invalidInput, notFound } from '#server/house/errors/errors.ts'
import { paymentEnded } from '#server/house/errors/payment-errors.ts'
import { type Call, defineCall, type Wire } from '#server/house/http/call.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import { idempotencyKeyOf } from '#server/house/http/idempotency-key.ts'
import { beginPayment } from './begin/begin-payment.ts'
import { closePayment } from './close-payment.ts'
import { getPayments, getPaymentsHistory } from './list-payments.ts'
import { findPayment, findShown } from './queries/payments.ts'
import { toPaymentRecord } from './record.ts'
import { redeemVoucher } from './redeem-voucher.ts'

const byTransaction = z.object({ transaction_id: z.string().max(100) })

export const paymentCalls: Call[] = [
  defineCall('GET /api/payments', {
    auth: 'required',
    scope: 'read',
    input: z.object({}),
    reply: paymentsReplySchema,
    handle: getPayments,
  }),
  defineCall('GET /api/payments-history', {
    auth: 'required',
    scope: 'read',
    input: paymentsFilterSchema,
    reply: paymentsHistorySchema,
    handle: getPaymentsHistory,
  }),
  defineCall('POST /api/v1/payments', {
    auth: 'required',
    scope: 'money',
    input: paymentInputSchema,
    reply: paymentReplySchema,
    status: 201,
    onceByKey: true,
    async handle(ctx, caller, { system, amount }, wire) {
      const row = await beginPayment(ctx, {
        userId: caller.member.userId,
        currency: caller.member.currency,
        zone: caller.zone,
        locale: caller.locale,
        network: caller.network,
        origin: originOfPayer(ctx, caller, wire),
        system,
        amountMicros: readAmount(amount),
        idempotencyKey: idempotencyKeyOf(wire),
      })
      return show(ctx, caller, row.transaction_id)
    },
  }),
  defineCall('GET /api/v1/payments/{transaction_id}', {
    auth: 'required',
    scope: 'read',
    input: byTransaction,
    reply: paymentReplySchema,
    handle: (ctx, caller, { transaction_id }) => show(ctx, caller, transaction_id),
  }),
  defineCall('POST /api/v1/payments/{transaction_id}/cancel', {
    auth: 'required',
    scope: 'money',
    input: byTransaction,
    reply: paymentReplySchema,
    async handle(ctx, caller, { transaction_id: transactionId }) {
      const { userId } = caller.member
      const isClosed = await closePayment(ctx, { userId, transactionId })
      const shown = await show(ctx, caller, transactionId)
      if (!isClosed) throw paymentEnded()
      return shown
    },
  }),
  defineCall('POST /api/v1/vouchers', {
    auth: 'required',
    scope: 'money',
    input: voucherInputSchema,
    reply: voucherReplySchema,
    status: 201,
    async handle(ctx, caller, { code }) {
      const { userId, currency } = caller.member
      const input = { userId, currency, zone: caller.zone, network: caller.network, code }
      const { paymentId, redeemedBefore } = await redeemVoucher(ctx, input)
      const payment = await findPayment(ctx.db, paymentId)
      return { ...(await show(ctx, caller, payment?.transaction_id ?? '')), redeemed_before: redeemedBefore }
    },
  }),
]

/** A demo may be opened under any host name and port of its machine; a real service only under its zone's. */
function originOfPayer({ config }: Context, { zone }: MemberCaller, wire: Wire | undefined): string {
  if (!config.demo || wire === undefined) return originOf(config, zone)
  return `${config.publicUrl.protocol}//${wire.request.host}`
}

async function show(ctx: Context, caller: MemberCaller, transactionId: string) {
  const row = await findShown(ctx.db, { userId: caller.member.userId, transactionId })
  if (row === null) throw notFound()
  return { status: true as const, data: await toPaymentRecord(ctx, row, caller.locale) }
}

function readAmount(text: string): bigint {
  const micros = parseDecimal(text)
  // The amount must be whole kopecks or cents, because gateways accept nothing smaller.
  if (micros !== null && micros > 0n && micros % 10_000n === 0n) return micros
  throw invalidInput({ amount: [wordsOf('field.amount')] })
}
