import { past } from '#contract/calls/past-calls.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { getStatistics } from './get-statistics.ts'
import { listQuality } from './list-quality.ts'

export const statisticsCalls: Call[] = [
  route(past.statistics, getStatistics),
  route(past.quality, (ctx, _caller, filter) => listQuality(ctx, filter)),
]
