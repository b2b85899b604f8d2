import { DAY, HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { MINIMUM_SAMPLE } from '#server/core/catalog/health/outcome-bounds.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { MEASURED_MS } from '#server/core/catalog/offers/load-catalog.ts'
import { pairKey } from '#server/core/catalog/offers/offers-by-pair.ts'
import type { BoughtPair } from '#server/core/catalog/offers/outcome-queries.ts'
import type { Context } from '#server/house/context.ts'
import { countWithin } from '#server/house/limits/count-together.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import { findLastPause, insertPause, listLosers, listSuspects, type Suspect } from './pause-queries.ts'
import { unwantedBookOf } from './unwanted-book.ts'

/** The time whose purchases are judged. Older purchases may reflect a supplier that has improved since. */
const JUDGED_MS = DAY
/**
 * The minimum number of purchases for a pause. In so many purchases, a quarter of the usual share of codes is not bad
 * luck, even if the usual share is only a half.
 */
const MINIMUM_PURCHASES = 50
const PART_OF_NORMAL = 0.25
/** The share of codes that is demanded if other accounts buy too little to measure a usual share. */
const LOWEST_SHARE = 0.03
/** The maximum number of resold numbers that an account may end in a day although we must pay for their codes. */
const MOST_LOSSES = 3
const FIRST_PAUSE_MS = 30 * MINUTE
/** The maximum length of a pause. A repeated pause within a day lasts twice as long as the previous pause. */
const LONGEST_PAUSE_MS = DAY

/** A buyer who gets this many excluded numbers of a service and country within an hour is paused. */
const MOST_UNWANTED = 10

/**
 * Pauses purchases of a service and country for accounts that buy many such numbers but get unusually few codes.
 * Returns how many accounts were paused.
 */
export async function pausePairs(ctx: Context, pairs: readonly BoughtPair[]): Promise<number> {
  if (pairs.length === 0) return 0
  const now = ctx.clock.now()
  const suspects = await listSuspects(ctx.db, {
    pairs,
    since: new Date(now.getTime() - JUDGED_MS),
    measuredSince: new Date(now.getTime() - MEASURED_MS),
    minimum: MINIMUM_PURCHASES,
  })
  let count = 0
  for (const suspect of suspects) {
    if (suspect.codes / suspect.purchases >= leastShare(ctx, suspect)) continue
    await beginPause(ctx, suspect)
    count += 1
  }
  return count
}

async function beginPause(
  ctx: Context,
  suspect: BoughtPair & Pick<Suspect, 'purchases' | 'codes' | 'lastPauseSeconds'>,
): Promise<void> {
  const now = ctx.clock.now()
  const { userId, serviceCode, countryId, purchases, codes, lastPauseSeconds } = suspect
  const lengthMs = lengthOf({ lastPauseSeconds })
  const pause = { userId, serviceCode, countryId, purchases, codes }
  await insertPause(ctx.db, { ...pause, now, until: new Date(now.getTime() + lengthMs) })
  ctx.log.warn({ ...pause, lengthMs }, 'an account has to pause for a pair')
}

/**
 * Counts a number that a supplier sold although the buyer had excluded it; such purchases cost us money. After too
 * many, pauses the buyer's purchases of this service and country.
 */
export async function countUnwanted(ctx: Context, pair: BoughtPair): Promise<void> {
  const now = ctx.clock.now()
  const own = unwantedBookOf(ctx).count(pair, now)
  const { userId, serviceCode, countryId } = pair
  const counted = { name: 'unwanted numbers', caller: `${userId} ${serviceCode} ${countryId}` }
  const together = await countWithin(ctx.redis, counted, HOUR)
  // The count of all nodes goes on after a pause, so only one node begins it.
  const isPaused =
    together === undefined ? own * nodeOf(ctx).livingNodes >= MOST_UNWANTED : together % MOST_UNWANTED === 0
  if (!isPaused) return
  unwantedBookOf(ctx).forget(pair)
  const since = new Date(now.getTime() - JUDGED_MS)
  const lastPauseSeconds = await findLastPause(ctx.db, { ...pair, since })
  await beginPause(ctx, { ...pair, purchases: MOST_UNWANTED, codes: 0, lastPauseSeconds })
}

/** Pauses accounts that often cancel just before a code that we must pay for. Returns how many were paused. */
export async function pauseLosers(ctx: Context, pairs: readonly BoughtPair[]): Promise<number> {
  if (pairs.length === 0) return 0
  const now = ctx.clock.now()
  const losers = await listLosers(ctx.db, { pairs, since: new Date(now.getTime() - JUDGED_MS), most: MOST_LOSSES })
  for (const { losses, ...loser } of losers) {
    const lengthMs = lengthOf(loser)
    const until = new Date(now.getTime() + lengthMs)
    await insertPause(ctx.db, { ...loser, purchases: losses, codes: 0, now, until })
    const { userId, serviceCode, countryId } = loser
    ctx.log.warn(
      { userId, serviceCode, countryId, losses, lengthMs },
      'an account has to pause: its cancelled numbers cost us',
    )
  }
  return losers.length
}

function lengthOf({ lastPauseSeconds }: { lastPauseSeconds: number }): number {
  return Math.min(Math.max(FIRST_PAUSE_MS, 2 * lastPauseSeconds * SECOND), LONGEST_PAUSE_MS)
}

/** The usual share of codes is that of other accounts, so the suspect's purchases are subtracted from the totals. */
function leastShare(ctx: Context, suspect: Suspect): number {
  let purchases = -suspect.measured.purchases
  let codes = -suspect.measured.codes
  for (const { outcomes, uncounted } of catalogOf(ctx)
    .measured()
    .get(pairKey(suspect.serviceCode, suspect.countryId)) ?? []) {
    purchases += outcomes.purchases + uncounted
    codes += outcomes.codes
  }
  return purchases < MINIMUM_SAMPLE ? LOWEST_SHARE : PART_OF_NORMAL * (codes / purchases)
}
