import {
  qualityFilterSchema,
  qualityReplySchema,
  statisticsFilterSchema,
  statisticsReplySchema,
} from '#contract/past/history.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'
import { getStatistics } from './get-statistics.ts'
import { listQuality } from './list-quality.ts'

export const statisticsCalls: Call[] = [
  defineCall('GET /api/v1/statistics', {
    auth: 'required',
    scope: 'read',
    sandbox: true,
    input: statisticsFilterSchema,
    reply: statisticsReplySchema,
    handle: getStatistics,
  }),
  defineCall('GET /api/v1/quality', {
    auth: 'none',
    input: qualityFilterSchema,
    reply: qualityReplySchema,
    handle: (ctx, _caller, filter) => listQuality(ctx, filter),
  }),
]
