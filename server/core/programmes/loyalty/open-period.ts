import { CURRENCIES, type Currency } from '#contract/money.ts'
import type { LoyaltyPeriod } from '#contract/programmes/loyalty.ts'
import type { LoyaltyRank } from '#server/house/config/programme-settings.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { findFreeBounds, findPeriodAt, insertPeriod, insertRanks, listRanks, type PeriodBounds } from './queries.ts'

export type CurrentPeriod = { bounds: PeriodBounds; period: LoyaltyPeriod; timeZone: string; ranks: LoyaltyRank[] }

/** Stores the loyalty period that has begun, with its terms. Nothing begins without a configured programme. */
export async function openPeriod(ctx: Context): Promise<void> {
  const { loyalty } = ctx.config.programmes
  const now = ctx.clock.now()
  if (loyalty === null || (await findPeriodAt(ctx.db, now)) !== null) return
  await transaction(ctx.db, async (tx) => {
    const bounds = await findFreeBounds(tx, { ...loyalty, now })
    const id = await insertPeriod(tx, { ...loyalty, ...bounds })
    if (id === null) return
    for (const currency of CURRENCIES) {
      await insertRanks(tx, { periodId: id, currency, ranks: loyalty.ranks[currency] ?? [] })
    }
  })
}

/** Returns the current loyalty period, stored or about to be stored; null without a programme for this currency. */
export async function findCurrent(ctx: Context, currency: Currency): Promise<CurrentPeriod | null> {
  const now = ctx.clock.now()
  const stored = await findPeriodAt(ctx.db, now)
  if (stored !== null) {
    const ranks = await listRanks(ctx.db, { periodId: stored.id, currency })
    return ranks.length === 0 ? null : { bounds: stored, period: stored.kind, timeZone: stored.time_zone, ranks }
  }
  const { loyalty } = ctx.config.programmes
  const ranks = loyalty?.ranks[currency]
  if (loyalty === null || ranks === undefined) return null
  return { ...loyalty, bounds: await findFreeBounds(ctx.db, { ...loyalty, now }), ranks }
}
