import { HOUR, MINUTE } from '#contract/time.ts'
import { MINIMUM_SAMPLE } from '#server/core/catalog/health/outcome-bounds.ts'
import { sumCodesByHour } from '#server/core/catalog/health/queries/outcomes.ts'
import type { Context } from '#server/house/context.ts'
import { keepFigure } from '#server/house/db/keep-figure.ts'

const HOURS_SHOWN = 24

type Sums = ReadonlyMap<string, readonly number[]>

/** All pages share the sums for some minutes, because a read covers the outcomes of a whole day. */
const readSums = keepFigure<Sums>({
  name: 'codes of services by hour',
  freshMs: 5 * MINUTE,
  atFirst: new Map(),
  read: gather,
})

/**
 * Returns a service's codes by hour over the last 24 hours, the oldest first. Each hour is in per cent of the best hour,
 * because exact sales are nobody's business. The list is empty if there were too few.
 */
export async function codesByHour(ctx: Context, serviceCode: string): Promise<number[]> {
  const codes = (await readSums(ctx)).get(serviceCode) ?? []
  if (codes.reduce((sum, count) => sum + count, 0) < MINIMUM_SAMPLE) return []
  const most = Math.max(...codes)
  return codes.map((count) => Math.round((count / most) * 100))
}

async function gather(ctx: Context, now: Date): Promise<Sums> {
  const firstMs = Math.floor(now.getTime() / HOUR) * HOUR - (HOURS_SHOWN - 1) * HOUR
  const sums = new Map<string, number[]>()
  for (const { service_code: code, hour, codes } of await sumCodesByHour(ctx.db, new Date(firstMs))) {
    const hours = sums.get(code) ?? new Array<number>(HOURS_SHOWN).fill(0)
    const place = (hour.getTime() - firstMs) / HOUR
    if (place < HOURS_SHOWN) hours[place] = codes
    sums.set(code, hours)
  }
  return sums
}
