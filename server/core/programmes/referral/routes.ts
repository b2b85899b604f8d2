import { z } from 'zod'
import { toDecimal } from '#contract/money.ts'
import {
  referralReplySchema,
  sharesFilterSchema,
  sharesReplySchema,
  withdrawalInputSchema,
  withdrawalReplySchema,
  withdrawalsFilterSchema,
  withdrawalsReplySchema,
} from '#contract/programmes/referral.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'
import { idempotencyKeyOf } from '#server/house/http/idempotency-key.ts'
import { getReferral, getShares, getWithdrawals } from './get-referral.ts'
import { toWithdrawal } from './record.ts'
import { withdrawReferral } from './withdraw.ts'

export const referralCalls: Call[] = [
  defineCall('GET /api/v1/referral', {
    auth: 'required',
    scope: 'read',
    input: z.object({}),
    reply: referralReplySchema,
    handle: getReferral,
  }),
  defineCall('GET /api/v1/referral/shares', {
    auth: 'required',
    scope: 'read',
    input: sharesFilterSchema,
    reply: sharesReplySchema,
    handle: getShares,
  }),
  defineCall('GET /api/referral/history-withdrawals', {
    auth: 'required',
    scope: 'read',
    input: withdrawalsFilterSchema,
    reply: withdrawalsReplySchema,
    handle: getWithdrawals,
  }),
  defineCall('POST /api/v1/referral/withdrawals', {
    auth: 'required',
    scope: 'money',
    input: withdrawalInputSchema,
    reply: withdrawalReplySchema,
    status: 201,
    onceByKey: true,
    async handle(ctx, caller, input, wire) {
      const idempotencyKey = idempotencyKeyOf(wire)
      const { row, balanceMicros } = await withdrawReferral(ctx, caller, { ...input, idempotencyKey })
      return { status: true, data: toWithdrawal(ctx, row, caller.locale), balance: toDecimal(balanceMicros) }
    },
  }),
]
