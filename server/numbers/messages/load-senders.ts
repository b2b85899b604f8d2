import { listServiceRows } from '#server/catalog/offers/queries.ts'
import type { Context } from '#server/context.ts'
import { listIgnoredSenders, listSigns } from './queries.ts'

export async function loadSenders(ctx: Pick<Context, 'db' | 'senders'>): Promise<void> {
  const signs = await listSigns(ctx.db)
  const ignored = await listIgnoredSenders(ctx.db)
  const services = await listServiceRows(ctx.db)
  ctx.senders.load({ signs, ignored, services })
}
