import { MICROS_PER_UNIT } from '#contract/money.ts'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { findFreeBounds, insertPeriod, insertRanks, notePaid } from '#server/core/programmes/loyalty/queries.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { MOVEMENTS } from '#server/house/money/movement-kinds.ts'
import {
  type Funded,
  fund,
  PAID_AFTER_MS,
  type PastMove,
  type PastPeriod,
  type PastReward,
  type PastTopUp,
} from './draw-money.ts'
import { at, movesOfOrder, type PastFacts, transferRow } from './order-rows.ts'
import {
  depositRow,
  EXPIRED_AGO_MS,
  type Gateways,
  moveOfTopUp,
  numberTopUps,
  paidRow,
  type StoredTopUp,
  sandboxRow,
  unpaidRows,
  voucherRow,
} from './payment-rows.ts'
import { sumBalances } from './queries.ts'
import { movesOfRental, preorderRows } from './rental-rows.ts'
import { insertRows, takeIds } from './row-queries.ts'
import type { Seeded } from './seeded.ts'
import type { Bought } from './store-bought.ts'

type Money = {
  seeded: Seeded
  tx: Db
  buyerId: number
  bought: Bought
  gateways: Gateways
  facts: PastFacts
}

/** The buyer's balance after the history, as before the demo had one. */
const BALANCE_MICROS = 1_000n * MICROS_PER_UNIT
/** The history reaches so far back, so no older period of loyalty is needed. */
const LONGEST_MS = 92 * DAY
/** Small sums leave the buyer's balance below the one that the demo begins with. */
const BUYER_SIZES = [300, 500]
const OTHER_SIZES = [200, 300, 500, 500, 1_000]

/** Stores what was paid in and moved, in the order of time, and sets the balances. Returns the top-ups. */
export async function storeMoney(ctx: Context, money: Money): Promise<StoredTopUp[]> {
  const { tx, seeded, gateways, facts } = money
  const periods = await storePeriods(ctx, tx, facts.nowMs)
  const moves = movesOf(money)
  const funded = fundAll(money, { moves, periods })
  const drawn = funded.flatMap(({ topUps }) => topUps)
  const topUps = await storePayments(ctx, money, drawn)
  const rewards = funded.flatMap((one) => one.rewards)
  const rewardIds = await takeIds(tx, 'loyalty_rewards', rewards.length)
  await insertRows(
    tx,
    'loyalty_rewards',
    rewards.map((reward, place) => rewardRow(reward, rewardIds[place] ?? 0n)),
  )
  const all = [
    ...startOf(money, { moves, funded }),
    ...topUps.map(moveOfTopUp),
    ...moves,
    ...rewards.flatMap((reward, place) => moveOfReward(reward, rewardIds[place] ?? 0n)),
  ]
  await insertRows(
    tx,
    'transfers',
    all.toSorted((one, other) => one.atMs - other.atMs).map((move) => transferRow(move, MOVEMENTS[move.kind])),
  )
  await sumBalances(tx)
  await insertRows(
    tx,
    'vouchers',
    topUps.flatMap((topUp) => voucherRow(seeded, topUp, gateways)),
  )
  return topUps
}

function movesOf({ bought, facts }: Money): PastMove[] {
  return [
    ...bought.orders.flatMap(movesOfOrder),
    ...bought.rentals.flatMap(movesOfRental),
    preorderRows(bought.preorder, facts).move,
  ]
}

function fundAll(
  { seeded, buyerId, facts }: Money,
  { moves, periods }: { moves: readonly PastMove[]; periods: readonly PastPeriod[] },
): (Funded & { userId: number })[] {
  const byUser = Map.groupBy(moves, ({ userId }) => userId)
  return [...byUser].map(([userId, own]) => {
    const isBuyer = userId === buyerId
    const planned = isBuyer ? plannedTopUps(userId, facts.nowMs) : []
    const sizes = isBuyer ? BUYER_SIZES : OTHER_SIZES
    return { userId, ...fund(seeded, { userId, moves: own, planned, periods, sizes }) }
  })
}

/** Larger sums of weeks long ago, which reach a rank of loyalty, a voucher, and one of today. */
function plannedTopUps(userId: number, nowMs: number): PastTopUp[] {
  const ago = (ms: number) => nowMs - ms
  const large = 1_000n * MICROS_PER_UNIT
  return [
    { userId, system: 'coin', micros: large, atMs: ago(72 * DAY + 5 * HOUR) },
    { userId, system: 'voucher', micros: 250n * MICROS_PER_UNIT, atMs: ago(58 * DAY + 2 * HOUR) },
    { userId, system: 'card', micros: large, atMs: ago(37 * DAY + 24 * MINUTE) },
    { userId, system: 'coin', micros: large, atMs: ago(16 * DAY + 3 * HOUR) },
    { userId, system: 'card', micros: 300n * MICROS_PER_UNIT, atMs: ago(7 * HOUR) },
  ]
}

/** The credit with which the demo's buyer begins leaves the balance that every demo shows at its first start. */
function startOf(
  { buyerId }: Money,
  { moves, funded }: { moves: readonly PastMove[]; funded: readonly (Funded & { userId: number })[] },
): PastMove[] {
  const leftMicros = funded.find(({ userId }) => userId === buyerId)?.availableMicros ?? 0n
  const micros = BALANCE_MICROS - leftMicros
  if (micros <= 0n) throw new Error('the demo’s history leaves its buyer too much')
  const firstAtMs = moves
    .filter(({ userId }) => userId === buyerId)
    .reduce((first, { atMs }) => Math.min(first, atMs), Infinity)
  return [{ userId: buyerId, kind: 'credit', micros, atMs: firstAtMs - HOUR, key: 'demo' }]
}

async function storePayments(ctx: Context, money: Money, drawn: readonly PastTopUp[]): Promise<StoredTopUp[]> {
  const { tx, seeded, gateways, facts, buyerId } = money
  const ids = await takeIds(tx, 'payments', drawn.length + 2)
  const [expiredId = 0n] = ids.splice(drawn.filter(({ atMs }) => atMs < facts.nowMs - EXPIRED_AGO_MS).length, 1)
  const vouchers = drawn.filter(({ system }) => system === 'voucher').length
  const topUps = numberTopUps(seeded, drawn, {
    ids,
    depositIds: await takeIds(tx, 'deposits', drawn.length),
    voucherIds: await takeIds(tx, 'vouchers', vouchers),
  })
  const { publicUrl } = ctx.config
  const unpaidIds = { expired: expiredId, open: ids.at(-1) ?? 0n }
  const unpaid = unpaidRows(seeded, {
    userId: buyerId,
    ids: unpaidIds,
    gatewayId: gateways.sandbox,
    publicUrl,
    nowMs: facts.nowMs,
  })
  await insertRows(tx, 'payments', [...topUps.map((topUp) => paidRow(topUp, gateways)), ...unpaid.payments])
  await insertRows(
    tx,
    'deposits',
    topUps.map((topUp) => depositRow(topUp, gateways)),
  )
  await insertRows(tx, 'sandbox_payments', [...topUps.flatMap(sandboxRow), ...unpaid.sandbox])
  return topUps
}

/** Stores the periods of loyalty that are over, from the newest back. The product stores the one under way. */
async function storePeriods(ctx: Context, tx: Db, nowMs: number): Promise<PastPeriod[]> {
  const { loyalty } = ctx.config.programmes
  const ranks = loyalty?.ranks.rub
  if (loyalty === null || ranks === undefined) return []
  const periods: PastPeriod[] = []
  let bounds = await findFreeBounds(tx, { ...loyalty, now: new Date(nowMs) })
  while (bounds.begins_at.getTime() > nowMs - LONGEST_MS) {
    bounds = await findFreeBounds(tx, { ...loyalty, now: new Date(bounds.begins_at.getTime() - 1) })
    const paidAtMs = bounds.ends_at.getTime() + PAID_AFTER_MS
    if (paidAtMs > nowMs) continue
    const id = await insertPeriod(tx, { ...loyalty, ...bounds })
    if (id === null) throw new Error('periods of loyalty lie apart')
    await insertRanks(tx, { periodId: id, currency: 'rub', ranks })
    await notePaid(tx, { id, now: new Date(paidAtMs) })
    periods.push({ id, bounds, ranks })
  }
  return periods
}

function rewardRow(reward: PastReward, id: bigint) {
  return {
    id,
    user_id: reward.userId,
    period_id: reward.periodId,
    currency: 'rub',
    top_up_micros: reward.topUpMicros,
    points: reward.points,
    reward_micros: reward.micros,
    changed_at: at(reward.atMs),
  }
}

function moveOfReward({ userId, micros, atMs }: PastReward, rewardId: bigint): PastMove[] {
  return micros === 0n ? [] : [{ userId, kind: 'loyalty', micros, atMs, rewardId, key: `loyalty:${rewardId}:1` }]
}
