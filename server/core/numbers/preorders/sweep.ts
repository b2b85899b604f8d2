import { SECOND } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { quote } from '#server/core/catalog/prices/quote.ts'
import { ALWAYS, RESERVED_LIMIT_MS } from '#server/core/numbers/purchase/settle-orphans.ts'
import { buyingOf } from '#server/core/numbers/sourcing/buying-stopped.ts'
import type { Context } from '#server/house/context.ts'
import { isTogether } from '#server/house/nodes/node.ts'
import { announcePreorder } from './announce.ts'
import { buyWaiting, settlePreorder } from './buy-waiting.ts'
import { endWaiting } from './queries/change.ts'
import { findNextDue, listBuyable, listOverdue, listUnsettled, listWantedKinds } from './queries/read.ts'
import type { PreorderRow } from './queries/row.ts'
import { preorderSweepStateOf } from './sweep-state.ts'

const BATCH = 100
const MAX_BATCHES = 20
/** The number of pairs (service and country) bought in parallel, so that a slow supplier delays only its own pairs. */
const PAIRS_AT_ONCE = 8
const UNSETTLED_LOOK_MS = 5 * SECOND

/**
 * Buys numbers for pre-orders, oldest first, and ends overdue pre-orders. Returns the number of purchases. Runs each
 * second, never twice at once, and does nothing unless stock, prices, pre-orders or the clock have changed.
 */
export async function sweepPreorders(ctx: Context): Promise<number> {
  const catalog = catalogOf(ctx)
  const seen = preorderSweepStateOf(ctx)
  const now = ctx.clock.now()
  const isSetBack = now.getTime() < seen.sweptAt
  seen.sweptAt = now.getTime()
  // Other nodes order and cancel, too, so that a node among several looks each time.
  if (!isTogether(ctx) && catalog.version === seen.version && now.getTime() < seen.lookAt && !isSetBack) return 0
  const { version } = catalog
  // `lookAt` is reset before the work, so that the next sweep sees a change made during the work.
  seen.lookAt = Number.POSITIVE_INFINITY
  try {
    await settleAll(ctx)
    await expireAll(ctx)
    const bought = buyingOf(ctx).stopped ? 0 : await buyAll(ctx)
    if (!buyingOf(ctx).stopped) seen.version = version
    const { dueAt, buying } = await findNextDue(ctx.db, now)
    if (dueAt !== null) lookNotAfter(ctx, dueAt.getTime())
    if (buying) lookNotAfter(ctx, now.getTime() + UNSETTLED_LOOK_MS)
    return bought
  } catch (error) {
    lookNotAfter(ctx, 0)
    throw error
  }
}

function lookNotAfter(ctx: Context, at: number): void {
  const preorders = preorderSweepStateOf(ctx)
  preorders.lookAt = Math.min(preorders.lookAt, at)
}

/** Settles pre-orders whose purchase ended without settling them, because of a crash or an outage. */
async function settleAll(ctx: Context, before = ALWAYS): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const rows = await listUnsettled(ctx.db, { before, limit: BATCH })
    for (const row of rows) await settlePreorder(ctx, row)
    if (rows.length < BATCH) return
  }
  lookNotAfter(ctx, 0)
}

/**
 * Settles pre-orders whose purchase `giveUpReserving` ended. Runs beside `sweepPreorders`, which may wait for
 * suppliers.
 */
export async function giveUpBuying(ctx: Context): Promise<void> {
  await settleAll(ctx, new Date(ctx.clock.now().getTime() - RESERVED_LIMIT_MS))
}

/** Ends overdue pre-orders one by one, because locks of several accounts could deadlock with other sweeps. */
async function expireAll(ctx: Context): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const now = ctx.clock.now()
    const ids = await listOverdue(ctx.db, { now, limit: BATCH })
    for (const id of ids) {
      const ended = await endWaiting(ctx.db, { id, state: 'expired', now })
      if (ended !== null) await announcePreorder(ctx, ended)
    }
    if (ids.length < BATCH) return
  }
  lookNotAfter(ctx, 0)
}

async function buyAll(ctx: Context): Promise<number> {
  let bought = 0
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const rows = await listNext(ctx)
    if (rows.length === 0) return bought
    const pairs = Map.groupBy(rows, (row) => `${row.service_code}|${row.country_id}`).values()
    const work = async (): Promise<void> => {
      // All workers share this iterator, so each pair is taken once.
      for (const pair of pairs) {
        const boughtOfPair = await buyPair(ctx, pair)
        // `+= await` would add to the value of `bought` from before the wait.
        bought += boughtOfPair
      }
    }
    await Promise.all(Array.from({ length: PAIRS_AT_ONCE }, work))
  }
  lookNotAfter(ctx, 0)
  return bought
}

async function listNext(ctx: Context): Promise<PreorderRow[]> {
  const now = ctx.clock.now()
  const wanted = await listWantedKinds(ctx.db, now)
  const kinds = wanted.flatMap((kind) => {
    const { service_code: serviceCode, country_id: countryId, currency, operator_wanted: operator } = kind
    const found = quote(catalogOf(ctx), { serviceCode, countryId, currency, operator })
    return typeof found === 'string' ? [] : [{ ...kind, priceMicros: found.priceMicros }]
  })
  return kinds.length === 0 ? [] : listBuyable(ctx.db, { kinds, now, limit: BATCH })
}

/**
 * Buys for the pre-orders of one pair of service and country. Once no supplier has a number of an operator, pre-orders
 * for that operator are no longer tried. The numbers may be barred only for the first buyer, so the pre-order with the
 * fewest tries is tried too.
 */
async function buyPair(ctx: Context, rows: PreorderRow[]): Promise<number> {
  const gone = new Set<string | null>()
  const waiting = new Set(rows)
  let bought = 0
  for (const row of rows) {
    if (gone.has(row.operator_wanted) || !waiting.delete(row)) continue
    try {
      const outcome = await buyWaiting(ctx, row)
      if (outcome === 'bought') bought += 1
      if (outcome !== 'none') continue
      const other = leastTried(waiting, row)
      if (other !== null && waiting.delete(other) && (await buyWaiting(ctx, other, row.tries)) === 'bought') bought += 1
      else gone.add(row.operator_wanted)
    } catch (error) {
      // After an error the other pairs of service and country continue, and the next sweep settles this pre-order.
      ctx.log.error({ error, preorderId: row.id.toString() }, 'buying for a pre-order failed')
      lookNotAfter(ctx, ctx.clock.now().getTime() + UNSETTLED_LOOK_MS)
      return bought
    }
  }
  return bought
}

/**
 * Returns the pre-order of another buyer for the same operator with the fewest tries, the oldest if there are several.
 * It shares the retry delay of the first pre-order.
 */
function leastTried(waiting: ReadonlySet<PreorderRow>, first: PreorderRow): PreorderRow | null {
  let least: PreorderRow | null = null
  for (const row of waiting) {
    if (row.user_id === first.user_id || row.operator_wanted !== first.operator_wanted) continue
    if (least === null || row.tries < least.tries) least = row
  }
  return least
}
