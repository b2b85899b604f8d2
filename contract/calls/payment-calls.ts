import { z } from 'zod'
import {
  paymentInputSchema,
  paymentReplySchema,
  paymentsFilterSchema,
  paymentsHistorySchema,
  paymentsReplySchema,
  voucherInputSchema,
  voucherReplySchema,
} from '#contract/payment.ts'
import { type DeclaredCalls, nothing, REAL_READER, TREASURER } from './call.ts'

const byTransaction = z.object({ transaction_id: z.string().max(100) })

export const payments = {
  systems: { key: 'GET /api/payments', who: REAL_READER, input: nothing, reply: paymentsReplySchema },
  history: {
    key: 'GET /api/payments-history',
    who: REAL_READER,
    input: paymentsFilterSchema,
    reply: paymentsHistorySchema,
  },
  begin: {
    key: 'POST /api/v1/payments',
    who: TREASURER,
    input: paymentInputSchema,
    reply: paymentReplySchema,
    status: 201,
    onceByKey: true,
  },
  one: {
    key: 'GET /api/v1/payments/{transaction_id}',
    who: REAL_READER,
    input: byTransaction,
    reply: paymentReplySchema,
  },
  cancel: {
    key: 'POST /api/v1/payments/{transaction_id}/cancel',
    who: TREASURER,
    input: byTransaction,
    reply: paymentReplySchema,
  },
  redeemVoucher: {
    key: 'POST /api/v1/vouchers',
    who: TREASURER,
    input: voucherInputSchema,
    reply: voucherReplySchema,
    status: 201,
  },
} as const satisfies DeclaredCalls
