import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import { MEASURED_MS } from '#server/catalog/offers/load-catalog.ts'
import { pairKey } from '#server/catalog/offers/offers-by-pair.ts'
import { MINIMUM_SAMPLE } from '#server/catalog/offers/outcome-bounds.ts'
import type { BoughtPair } from '#server/catalog/offers/outcome-queries.ts'
import type { Context } from '#server/context.ts'
import { insertPause, listSuspects, type Suspect } from './pause-queries.ts'

/** What is judged: purchases of the last day. Longer ago, a supplier may have been bad that is good now. */
const JUDGED_MS = DAY
/** With so many, a share a quarter of the usual is no bad luck, even where only half of the purchases get a code. */
const MINIMUM_PURCHASES = 50
/** Far below normal: less than this part of what everybody else has. */
const PART_OF_NORMAL = 0.25
/** Where nobody else buys enough to say what is normal. */
const LOWEST_SHARE = 0.03
const FIRST_PAUSE_MS = 30 * MINUTE
/** Whoever has to pause again within a day has to pause twice as long, up to this. */
const LONGEST_PAUSE_MS = DAY

/**
 * Antifraud: an account that buys a service in a country again and again and hardly ever gets a code, while others do,
 * keeps numbers from them. It has to pause for that pair, longer each time. `pairs`: what something new is known of.
 * Returns how many pauses began.
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
    const lengthMs = Math.min(Math.max(FIRST_PAUSE_MS, 2 * suspect.lastPauseSeconds * SECOND), LONGEST_PAUSE_MS)
    await insertPause(ctx.db, { ...suspect, now, until: new Date(now.getTime() + lengthMs) })
    const { userId, serviceCode, countryId, purchases, codes } = suspect
    ctx.log.warn({ userId, serviceCode, countryId, purchases, codes, lengthMs }, 'an account has to pause for a pair')
    count += 1
  }
  return count
}

/** The share of codes that this account must have had at least. */
function leastShare(ctx: Context, suspect: Suspect): number {
  let purchases = -suspect.measured.purchases
  let codes = -suspect.measured.codes
  for (const { outcomes } of ctx.catalog.measured().get(pairKey(suspect.serviceCode, suspect.countryId)) ?? []) {
    purchases += outcomes.purchases
    codes += outcomes.codes
  }
  return purchases < MINIMUM_SAMPLE ? LOWEST_SHARE : PART_OF_NORMAL * (codes / purchases)
}
