import { DAY, HOUR } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { healthBookOf } from '../health/health-book.ts'
import { NORM_FROM_MS, NORM_UNTIL_MS, Norms } from '../health/norms.ts'
import {
  listRecentOutcomes,
  listTrusted,
  listUnbelieved,
  type OutcomeOfSupplier,
  type RecentOutcome,
  sumOutcomeHours,
  sumRecentOutcomes,
} from '../health/queries/outcomes.ts'
import { findFallen, type Outcome, type Tally } from '../health/share-evidence.ts'
import { setAside } from './change-standing.ts'

const NORMS_FOR_MS = HOUR
/**
 * A service itself is blamed, not the supplier, if the other suppliers' codes are below BAD_ELSEWHERE of the usual
 * number. The other suppliers must have at least LEAST_ELSEWHERE purchases.
 */
const LEAST_ELSEWHERE = 10
const BAD_ELSEWHERE = 2 / 3

/** Takes suppliers with a low share of codes off sale. The caller must have counted their outcomes first. */
export async function judgeShares(ctx: Context, supplierIds: readonly number[]): Promise<void> {
  await refreshNorms(ctx)
  const sound = supplierIds.filter((id) => healthBookOf(ctx).of(id).state === 'sound')
  if (sound.length === 0) return
  const since = new Date(ctx.clock.now().getTime() - NORM_UNTIL_MS)
  const rows = await listRecentOutcomes(ctx.db, { supplierIds: sound, since })
  for (const [supplierId, own] of Map.groupBy(rows, (row) => row.supplier_id)) {
    const normOf = healthBookOf(ctx).norms.of(supplierId)
    // Suppliers that are healthy even if all buyers count as trusted need no query for trusted buyers.
    if (findFallen(toOutcomes(own), normOf, () => true) === null) continue
    const trusted = new Set(await listTrusted(ctx.db, buyersOf(own)))
    const believed = await dropUnbelieved(ctx, own)
    const bad = await findBadElsewhere(ctx, supplierId)
    const fallen = findFallen(
      toOutcomes(believed).filter(({ serviceCode }) => !bad.has(serviceCode)),
      normOf,
      (userId) => trusted.has(userId),
    )
    if (fallen !== null) await setAside(ctx, { supplierId, cause: 'share', reason: describe(fallen) })
  }
}

export async function refreshNorms(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  const { normsAt } = healthBookOf(ctx)
  if (normsAt !== null && Math.abs(now.getTime() - normsAt.getTime()) < NORMS_FOR_MS) return
  const before = (ms: number) => new Date(now.getTime() - ms)
  healthBookOf(ctx).norms = new Norms(
    await sumOutcomeHours(ctx.db, { from: before(NORM_FROM_MS), until: before(NORM_UNTIL_MS) }),
  )
  healthBookOf(ctx).normsAt = now
}

export function toOutcomes(rows: readonly OutcomeOfSupplier[]): Outcome[] {
  return rows.map((row) => ({
    serviceCode: row.service_code,
    countryId: row.country_id,
    userId: row.user_id,
    coded: row.coded === true,
    withdrawn: row.withdrawn,
  }))
}

function buyersOf(rows: readonly RecentOutcome[]): number[] {
  return [...new Set(rows.map((row) => row.user_id))]
}

/** Drops failures that are no evidence, because otherwise a few accounts could take suppliers off sale at no cost. */
async function dropUnbelieved(ctx: Context, rows: readonly RecentOutcome[]): Promise<RecentOutcome[]> {
  const lacking = rows.filter(({ coded }) => coded !== true)
  const activationIds = lacking.map((row) => row.activation_id)
  const unbelieved = new Set(
    await listUnbelieved(ctx.db, { activationIds, userIds: buyersOf(lacking), now: ctx.clock.now() }),
  )
  return rows.filter((row) => !unbelieved.has(row.activation_id))
}

export function describe({ purchases, codes, expected }: Tally): string {
  return `${codes} codes of ${purchases} purchases, where ${expected.toFixed(1)} are usual`
}

/** Returns the services that send fewer codes than usual also when bought from other suppliers. */
async function findBadElsewhere(ctx: Context, supplierId: number): Promise<Set<string>> {
  const rows = await sumRecentOutcomes(ctx.db, new Date(ctx.clock.now().getTime() - DAY / 8))
  const others = rows.filter((row) => row.supplier_id !== supplierId)
  const bad = [...Map.groupBy(others, (row) => row.service_code)].filter(([, sums]) => {
    let [purchases, codes, expected] = [0, 0, 0]
    for (const sum of sums) {
      const norm = healthBookOf(ctx).norms.of(sum.supplier_id)(sum.service_code, sum.country_id)
      if (norm === null) continue
      purchases += sum.purchases
      codes += sum.codes
      expected += norm * sum.purchases
    }
    return purchases >= LEAST_ELSEWHERE && codes < expected * BAD_ELSEWHERE
  })
  return new Set(bad.map(([code]) => code))
}
