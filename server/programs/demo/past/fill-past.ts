import { DAY, MINUTE } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { callRows, favoriteRows, keyRow, type Notice, noticeRows, sessionRows } from './buyer-rows.ts'
import { drawOrders, pricesOf } from './draw-orders.ts'
import { drawRentals } from './draw-rentals.ts'
import { at, numberOrders, type PastFacts } from './order-rows.ts'
import { ageUser, claimPast, findPastNeeds, noteKeyUse, notePast } from './queries.ts'
import { numberRentals } from './rental-rows.ts'
import { insertRows, takeIds } from './row-queries.ts'
import { createSeeded, type Seeded } from './seeded.ts'
import { incidentRows, statusRows } from './status-rows.ts'
import { type Bought, storeBought } from './store-bought.ts'
import { storeMoney } from './store-money.ts'
import { TICKETS, ticketRows } from './ticket-rows.ts'
import { otherPeople } from './tickets.ts'

const SEED = 20_261
const BUYER = { orders: 400, days: 90, growth: 1.6 }
const OTHERS = { fewest: 18, most: 52, days: 13, growth: 0 }
/** A pre-order waits because its buyer offers so much of the price. */
const OFFERED_PERCENT = 70n
const PREORDERED = { serviceCode: 'tg', countryId: 187, operator: 'swift' }
const CENT_MICROS = 10_000n

type People = { buyerId: number; supportId: number }

/**
 * Makes the demo's history once, before anything is bought: three months of its buyer, two weeks of other people, and
 * tickets. Returns false if there is a history or a purchase. A start that dies leaves nothing of it.
 */
export function fillPast(ctx: Context, people: People): Promise<boolean> {
  return transaction(ctx.db, async (tx) => {
    if (!(await claimPast(tx))) return false
    const now = ctx.clock.now()
    const needs = await findPastNeeds(tx, people.buyerId)
    const facts: PastFacts = {
      nowMs: now.getTime(),
      supplierId: needs.supplierId,
      staffId: people.supportId,
      rubPerUsdMicros: needs.rubPerUsdMicros,
      wordsSinceMs: now.getTime() - ctx.config.messageKeepDays * DAY,
    }
    const seeded = createSeeded(SEED)
    const otherIds = await addOthers(ctx, tx, facts.nowMs)
    const ownKeyId = await addKey(seeded, tx, { userId: people.buyerId, nowMs: facts.nowMs })
    const keyIds = [needs.apiKeyId, ownKeyId]
    const bought = await drawBought(seeded, tx, { buyerId: people.buyerId, otherIds, keyIds, facts })
    await storeBought(tx, bought, facts)
    const topUps = await storeMoney(ctx, { seeded, tx, buyerId: people.buyerId, bought, gateways: needs, facts })
    const ids = await takeIds(tx, 'support_tickets', TICKETS)
    const known = { buyerId: people.buyerId, otherIds, orders: bought.orders, topUps, ids }
    const { tickets, messages, notices } = ticketRows(known, facts)
    await insertRows(tx, 'support_tickets', tickets)
    await insertRows(tx, 'support_messages', messages)
    await storeBuyer(seeded, tx, { userId: people.buyerId, keyIds, bought, topUps, answers: notices, facts })
    await insertRows(tx, 'status_days', statusRows(seeded, facts.nowMs))
    const [incidentId = 0n] = await takeIds(tx, 'incidents', 1)
    await insertRows(tx, 'incidents', incidentRows(incidentId, facts.nowMs))
    await notePast(tx, now)
    return true
  })
}

/** Adds people who cannot sign in, because they have no password. */
async function addOthers(ctx: Context, tx: Db, nowMs: number): Promise<number[]> {
  const ids = (await takeIds(tx, 'users', otherPeople.length)).map(Number)
  const createdAt = at(nowMs - 20 * DAY)
  const people = otherPeople.map(({ name, locale }, place) => ({
    id: ids[place] ?? 0,
    email: `person-${place + 1}@ringpost.test`,
    name,
    role: 'user',
    zone: ctx.config.zones[0]?.name ?? 'ru',
    locale,
    created_at: createdAt,
    email_verified_at: createdAt,
    signed_in_at: createdAt,
  }))
  await insertRows(tx, 'users', people)
  await insertRows(
    tx,
    'accounts',
    ids.map((user_id) => ({ user_id, currency: 'rub' })),
  )
  return ids
}

async function addKey(seeded: Seeded, tx: Db, { userId, nowMs }: { userId: number; nowMs: number }): Promise<number> {
  const [id = 0n] = await takeIds(tx, 'api_keys', 1)
  await insertRows(tx, 'api_keys', [keyRow(seeded, { id, userId, nowMs })])
  return Number(id)
}

async function drawBought(
  seeded: Seeded,
  tx: Db,
  input: { buyerId: number; otherIds: readonly number[]; keyIds: readonly number[]; facts: PastFacts },
): Promise<Bought> {
  const { buyerId, otherIds, keyIds, facts } = input
  const { nowMs } = facts
  const shoppers = [
    { ...BUYER, userId: buyerId, apiKeyIds: keyIds },
    ...otherIds.map((userId) => ({
      ...OTHERS,
      userId,
      orders: seeded.whole(OTHERS.fewest, OTHERS.most),
      apiKeyIds: [],
    })),
  ]
  const drawn = shoppers.flatMap((shopper) => drawOrders(seeded, shopper, nowMs))
  const orders = numberOrders(drawn, await takeIds(tx, 'activations', drawn.length))
  const rented = drawRentals(seeded, { userId: buyerId, nowMs })
  const chargeIds = await takeIds(tx, 'charges', 2 * rented.length + 1)
  const rentals = numberRentals(rented, { ids: await takeIds(tx, 'rentals', rented.length), chargeIds })
  const [id = 0n] = await takeIds(tx, 'preorders', 1)
  const { priceMicros } = pricesOf(PREORDERED)
  const offeredMicros = (priceMicros * OFFERED_PERCENT) / 100n
  const maxPriceMicros = offeredMicros - (offeredMicros % CENT_MICROS)
  return { orders, rentals, preorder: { id, chargeId: chargeIds.at(-1) ?? 0n, userId: buyerId, maxPriceMicros } }
}

async function storeBuyer(
  seeded: Seeded,
  tx: Db,
  input: {
    userId: number
    keyIds: readonly number[]
    bought: Bought
    topUps: Awaited<ReturnType<typeof storeMoney>>
    answers: readonly Notice[]
    facts: PastFacts
  },
): Promise<void> {
  const { userId, keyIds, bought, facts } = input
  const { nowMs } = facts
  const orders = bought.orders.filter((order) => order.userId === userId)
  const topUps = input.topUps.filter((topUp) => topUp.userId === userId)
  await ageUser(tx, { userId, createdAt: new Date(nowMs - (BUYER.days + 1) * DAY) })
  await insertRows(tx, 'favorites', favoriteRows(userId, nowMs))
  const { sessions, tokens } = sessionRows(seeded, { userId, ids: await takeIds(tx, 'sessions', 2), nowMs })
  await insertRows(tx, 'sessions', sessions)
  await insertRows(tx, 'refresh_tokens', tokens)
  await insertRows(tx, 'api_key_calls', callRows(orders, keyIds))
  for (const keyId of keyIds) {
    const used = orders.findLast(({ apiKeyId }) => apiKeyId === keyId)
    if (used !== undefined) await noteKeyUse(tx, { keyId, at: new Date(used.createdAtMs + MINUTE) })
  }
  await insertRows(
    tx,
    'notifications',
    noticeRows({ userId, nowMs, orders, topUps, rentals: bought.rentals, answers: input.answers }),
  )
}
