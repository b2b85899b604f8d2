import { z } from 'zod'
import { latestPurchasesSchema } from '#contract/rental.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'
import { listLatestActivations, listLatestRentals } from './list-latest.ts'

export const purchaseCalls: Call[] = [
  defineCall('GET /api/user/latest-purchases', {
    auth: 'required',
    scope: 'read',
    sandbox: true,
    input: z.object({}),
    reply: latestPurchasesSchema,
    handle: listLatestActivations,
  }),
  defineCall('GET /api/user/latest-rent-purchases', {
    auth: 'required',
    scope: 'read',
    sandbox: true,
    input: z.object({}),
    reply: latestPurchasesSchema,
    handle: listLatestRentals,
  }),
]
