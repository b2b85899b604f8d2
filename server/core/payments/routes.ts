import { payments } from '#contract/calls/payment-calls.ts'
import { parseDecimal } from '#contract/money.ts'
import { originOf } from '#server/house/config/zone-origin.ts'
import type { Context } from '#server/house/context.ts'
import { wordsOf } from '#server/house/errors/error-words.ts'
import { invalidInput, notFound } from '#server/house/errors/errors.ts'
import { paymentEnded } from '#server/house/errors/payment-errors.ts'
import { type Call, route, type Wire } from '#server/house/http/call.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import { idempotencyKeyOf } from '#server/house/http/idempotency-key.ts'
import { beginPayment } from './begin/begin-payment.ts'
import { closePayment } from './close-payment.ts'
import { getPayments, getPaymentsHistory } from './list-payments.ts'
import { findPayment, findShown } from './queries/payments.ts'
import { toPaymentRecord } from './record.ts'
import { redeemVoucher } from './redeem-voucher.ts'

export const paymentCalls: Call[] = [
  route(payments.systems, getPayments),
  route(payments.history, getPaymentsHistory),
  route(payments.begin, async (ctx, caller, { system, amount }, wire) => {
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
  }),
  route(payments.one, (ctx, caller, { transaction_id }) => show(ctx, caller, transaction_id)),
  route(payments.cancel, async (ctx, caller, { transaction_id: transactionId }) => {
    const { userId } = caller.member
    const isClosed = await closePayment(ctx, { userId, transactionId })
    const shown = await show(ctx, caller, transactionId)
    if (!isClosed) throw paymentEnded()
    return shown
  }),
  route(payments.redeemVoucher, async (ctx, caller, { code }) => {
    const { userId, currency } = caller.member
    const input = { userId, currency, zone: caller.zone, network: caller.network, code }
    const { paymentId, redeemedBefore } = await redeemVoucher(ctx, input)
    const payment = await findPayment(ctx.db, paymentId)
    return { ...(await show(ctx, caller, payment?.transaction_id ?? '')), redeemed_before: redeemedBefore }
  }),
]

/** Returns the origin to which the payer returns. A demo may be opened under any host name and port of its machine. */
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
