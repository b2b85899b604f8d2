import { programmes } from '#contract/calls/programme-calls.ts'
import { toDecimal } from '#contract/money.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { idempotencyKeyOf } from '#server/house/http/idempotency-key.ts'
import { getReferral, getShares, getWithdrawals } from './get-referral.ts'
import { toWithdrawal } from './record.ts'
import { withdrawReferral } from './withdraw.ts'

export const referralCalls: Call[] = [
  route(programmes.referral, getReferral),
  route(programmes.shares, getShares),
  route(programmes.withdrawals, getWithdrawals),
  route(programmes.withdraw, async (ctx, caller, input, wire) => {
    const idempotencyKey = idempotencyKeyOf(wire)
    const { row, balanceMicros } = await withdrawReferral(ctx, caller, { ...input, idempotencyKey })
    return { status: true, data: toWithdrawal(ctx, row, caller.locale), balance: toDecimal(balanceMicros) }
  }),
]
