import type { ActiveNumbers } from '#contract/activation.ts'
import type { Context } from '#server/house/context.ts'
import { listOpenPauses } from './queries.ts'

export async function listPauses(ctx: Context, userId: number): Promise<ActiveNumbers['antifraud']> {
  const pauses = await listOpenPauses(ctx.db, { userId, now: ctx.clock.now() })
  return pauses.map((pause) => ({
    service_id: pause.serviceCode,
    country_id: pause.countryId,
    until: pause.until.toISOString(),
  }))
}
