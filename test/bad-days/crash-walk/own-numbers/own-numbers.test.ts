import { expect } from 'vitest'
import { addNumbers } from '#server/adapters/shared/own-numbers/numbers.ts'
import { refreshOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import type { Supplier } from '#server/core/suppliers/supplier.ts'
import { SENDERS } from '#test/fakes/webhook/senders.ts'
import { openWebhookHouse } from '#test/fakes/webhook/webhook-house.ts'
import { defineWalks } from '../define-walks.ts'
import { type Buyer, buy, newBuyer } from '../orders.ts'
import type { Walk } from '../walk.ts'
import type { World } from '../world.ts'

const NUMBERS = 2_000

const houses = new WeakMap<World, Supplier>()

/** Adds a range of our own, cheaper than the other suppliers, once for each world. */
async function ownRange(world: World): Promise<Supplier> {
  const known = houses.get(world)
  if (known !== undefined) return known
  const { kannel } = SENDERS
  if (kannel === undefined) throw new Error('no Kannel')
  const { supplier } = await openWebhookHouse(world.t, kannel)
  const phones = Array.from({ length: NUMBERS }, (_, place) => String(77_060_000_001 + place))
  const numbers = phones.map((phone) => ({ phone, countryId: 2, operator: 'altel' }))
  await addNumbers(world.t.ctx.db, supplier.id, numbers)
  await refreshOffers(world.t.ctx, supplier)
  await world.join(supplier)
  houses.set(world, supplier)
  return supplier
}

/** Checks that every open order has its lease, and every lease its order. */
async function checkLeases({ t }: World, supplier: Supplier): Promise<void> {
  const { rows } = await t.ctx.db.query({
    text: `SELECT a.id, l.reference FROM (SELECT * FROM activations
        WHERE supplier_id = $1 AND state IN ('waiting', 'received', 'waiting_again')) a
      FULL JOIN (SELECT * FROM smpp_leases WHERE supplier_id = $1 AND state = 'leased') l ON l.reference = a.supplier_reference
      WHERE a.id IS NULL OR l.phone IS DISTINCT FROM a.phone`,
    values: [supplier.id],
  })
  expect(rows).toEqual([])
}

const walks: Walk<Buyer>[] = [
  {
    name: 'a purchase of our own number',
    async given(world) {
      await ownRange(world)
      return newBuyer(world)
    },
    act: buy,
    keyed: true,
    refusals: ['NO_NUMBERS'],
    after: async (world) => checkLeases(world, await ownRange(world)),
  },
  {
    name: 'a purchase of our own number that cannot be paid',
    async given(world) {
      await ownRange(world)
      return newBuyer(world, '1')
    },
    act: buy,
    refusals: ['NO_BALANCE'],
    after: async (world) => checkLeases(world, await ownRange(world)),
  },
]

defineWalks({ walks, statements: ['core/numbers/activations/queries/sell-stock.ts'] })
