import { programmesReplySchema } from '#contract/content.ts'
import { loyaltyReplySchema } from '#contract/programmes/loyalty.ts'
import {
  referralReplySchema,
  sharesFilterSchema,
  sharesReplySchema,
  withdrawalInputSchema,
  withdrawalReplySchema,
  withdrawalsFilterSchema,
  withdrawalsReplySchema,
} from '#contract/programmes/referral.ts'
import { ANYBODY, type DeclaredCalls, nothing, REAL_READER, TREASURER } from './call.ts'

export const programmes = {
  terms: { key: 'GET /api/v1/programmes', who: ANYBODY, input: nothing, reply: programmesReplySchema },
  loyalty: { key: 'GET /api/v1/loyalty', who: REAL_READER, input: nothing, reply: loyaltyReplySchema },
  referral: { key: 'GET /api/v1/referral', who: REAL_READER, input: nothing, reply: referralReplySchema },
  shares: { key: 'GET /api/v1/referral/shares', who: REAL_READER, input: sharesFilterSchema, reply: sharesReplySchema },
  withdrawals: {
    key: 'GET /api/referral/history-withdrawals',
    who: REAL_READER,
    input: withdrawalsFilterSchema,
    reply: withdrawalsReplySchema,
  },
  withdraw: {
    key: 'POST /api/v1/referral/withdrawals',
    who: TREASURER,
    input: withdrawalInputSchema,
    reply: withdrawalReplySchema,
    status: 201,
    onceByKey: true,
  },
} as const satisfies DeclaredCalls
