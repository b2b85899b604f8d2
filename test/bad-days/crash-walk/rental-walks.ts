import { expect } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import { giveUpRenting, settleRentalOrphans } from '#server/core/numbers/purchase/rental-orphans.ts'
import { takeOverOrphans } from '#server/core/numbers/purchase/take-over-orphans.ts'
import { payBack } from '#server/core/numbers/refunds/pay-back.ts'
import { reportRentalUnusable } from '#server/core/numbers/rentals/report-unusable.ts'
import { sweepRentals } from '#server/core/numbers/rentals/sweep.ts'
import { EXTENSION_LIMIT_MS } from '#server/core/numbers/rentals/times.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { type Buyer, codeFor, leftBy, newBuyer, type Order, press, rent, rented } from './orders.ts'
import { attempt, type Walk } from './walk.ts'
import { runJobs, type World } from './world.ts'

const refuses = async () => ({ outcome: 'refused' as const, reason: 'no-numbers' as const })

async function stateOf({ t }: World, id: number): Promise<string | undefined> {
  const { rows } = await t.ctx.db.query<{ state: string }>({
    name: 'walk-rental-state',
    text: 'SELECT state FROM rentals WHERE id = $1',
    values: [id],
  })
  return rows[0]?.state
}

const endsIn =
  (state: string) =>
  async (world: World, { id }: Order) => {
    expect(await stateOf(world, id)).toBe(state)
  }

const extend = (world: World, order: Order) => press(world, order, 'rentals/{id}/extend', { period: 4 })

const renting: Walk<Buyer>[] = [
  { name: 'renting', given: (world) => newBuyer(world), act: rent, keyed: true, refusals: ['NO_NUMBERS'] },
  {
    name: 'renting when the first answer was lost on the way',
    async given(world) {
      const buyer = await newBuyer(world)
      const [{ rent: first }] = world.suppliers
      first.onRent = async (order) => {
        first.give(order)
        throw new Error('the line broke')
      }
      return buyer
    },
    act: rent,
    keyed: true,
    refusals: ['NO_NUMBERS'],
  },
  {
    name: 'renting what nobody has',
    async given(world) {
      const buyer = await newBuyer(world)
      for (const supplier of world.suppliers) supplier.rent.onRent = refuses
      return buyer
    },
    act: rent,
    refusals: ['NO_NUMBERS'],
  },
  {
    name: 'renting what cannot be paid',
    given: (world) => newBuyer(world, '1'),
    act: rent,
    refusals: ['NO_BALANCE'],
  },
]

const extending: Walk<Order>[] = [
  { name: 'an extension', given: (world) => rented(world), act: extend, keyed: true, after: endsIn('active') },
  {
    name: 'an extension that the supplier refuses',
    async given(world) {
      const order = await rented(world)
      for (const supplier of world.suppliers) supplier.rent.onExtend = async () => ({ outcome: 'refused' })
      return order
    },
    act: extend,
    refusals: ['EXTEND_UNAVAILABLE'],
    after: endsIn('active'),
  },
  {
    name: 'an extension whose first answer was lost on the way',
    async given(world) {
      const order = await rented(world)
      for (const { rent: supplier } of world.suppliers) {
        const extended = supplier.onExtend
        supplier.onExtend = async () => {
          supplier.onExtend = extended
          throw new Error('the line broke')
        }
      }
      return order
    },
    act: extend,
    keyed: true,
    after: endsIn('active'),
  },
  {
    name: 'an extension that is given up, and had been made',
    async given(world) {
      const order = await rented(world)
      for (const { rent: supplier } of world.suppliers) {
        supplier.onExtend = async (extension) => {
          supplier.extend(extension)
          throw new Error('the line broke')
        }
      }
      await extend(world, order)
      world.t.clock.advance(EXTENSION_LIMIT_MS)
      return order
    },
    act: (world) =>
      attempt(world, async () => {
        await giveUpRenting(world.life.ctx)
        await runJobs(world)
      }),
    async after(world, order) {
      await endsIn('active')(world, order)
      // The cost of a late extension is counted once, however often processes hear of the extension.
      const { rows } = await world.t.ctx.db.query({
        name: 'walk-late-cost',
        text: `SELECT r.cost_micros, c.late_cost_micros FROM rentals r JOIN charges c ON c.rental_id = r.id
          WHERE r.id = $1 AND c.purpose = 'extension'`,
        values: [order.id],
      })
      expect(rows).toEqual([{ cost_micros: 140_000_000n, late_cost_micros: 40_000_000n }])
    },
  },
]

const ends: Walk<Order>[] = [
  {
    name: 'a cancelled rental',
    given: (world) => rented(world),
    act: (world, order) => press(world, order, 'rentals/{id}/cancel'),
    after: endsIn('cancelled'),
  },
  {
    name: 'a finished rental',
    async given(world) {
      const order = await rented(world)
      await receiveSms(world.life.ctx, codeFor(order))
      return order
    },
    act: (world, order) => press(world, order, 'rentals/{id}/finish'),
    after: endsIn('finished'),
  },
  {
    name: 'a rental that its supplier finds unusable',
    given: (world) => rented(world),
    act: (world, { id, supplierId }) =>
      attempt(world, () => reportRentalUnusable(world.life.ctx, { supplierId, reference: `r${id}-1` })),
    after: endsIn('revoked'),
  },
  {
    name: 'a rental that support pays back while it is extended',
    async given(world) {
      const order = await rented(world)
      await receiveSms(world.life.ctx, codeFor(order))
      for (const { rent: supplier } of world.suppliers) {
        supplier.onExtend = async () => {
          throw new Error('the line broke')
        }
      }
      await extend(world, order)
      return order
    },
    act: (world, { id }) => {
      const { ctx } = world.life
      const paid = { order: { kind: 'rental' as const, id: BigInt(id) }, link: null, now: ctx.clock.now() }
      return attempt(world, () => transaction(ctx.db, (tx) => payBack(tx, paid)))
    },
    after: endsIn('finished'),
  },
  {
    name: 'the price that is captured in time',
    async given(world) {
      const order = await rented(world)
      world.t.clock.advance(20 * MINUTE + SECOND)
      return order
    },
    act: (world) => attempt(world, () => sweepRentals(world.life.ctx)),
    after: endsIn('active'),
  },
  {
    name: 'the warning before the end',
    async given(world) {
      const order = await rented(world)
      world.t.clock.advance(22 * HOUR)
      return order
    },
    act: (world) => attempt(world, () => sweepRentals(world.life.ctx)),
    async after(world, order) {
      await endsIn('active')(world, order)
      // The notification is stored once, because the same transaction marks the rental as warned of.
      const { rows } = await world.t.ctx.db.query<{ kind: string }>({
        name: 'walk-warned',
        text: 'SELECT kind FROM notifications n JOIN users u ON u.id = n.user_id WHERE u.email = $1',
        values: [order.client.email],
      })
      expect(rows).toEqual([{ kind: 'rental-ending' }])
    },
  },
  {
    name: 'the end of the time of a rental',
    async given(world) {
      const order = await rented(world)
      world.t.clock.advance(DAY + SECOND)
      return order
    },
    act: (world) => attempt(world, () => sweepRentals(world.life.ctx)),
    after: endsIn('expired'),
  },
]

const left: Walk<Buyer>[] = [
  {
    name: 'a start that finds a rental whose number was given',
    async given(world) {
      const buyer = await newBuyer(world)
      await leftBy(world, { at: 'rental-settle', fault: 'killed before it', verb: () => rent(world, buyer) })
      return buyer
    },
    act: (world) => attempt(world, () => settleLeft(world.life.ctx)),
  },
  {
    name: 'a start that finds a rental nobody was asked for',
    async given(world) {
      const buyer = await newBuyer(world)
      await leftBy(world, { at: 'rental-reserve', fault: 'killed after it', verb: () => rent(world, buyer) })
      return buyer
    },
    act: (world) => attempt(world, () => settleLeft(world.life.ctx)),
  },
  {
    name: 'a start that finds an extension under way',
    async given(world) {
      const order = await rented(world)
      await leftBy(world, { at: 'rental-grant-extension', fault: 'killed before it', verb: () => extend(world, order) })
      return order
    },
    act: (world) => attempt(world, () => settleLeft(world.life.ctx)),
  },
]

const jobs: Walk<Buyer>[] = [
  {
    name: 'the job that tells a supplier of the end of a rental',
    async given(world) {
      const order = await rented(world)
      await press(world, order, 'rentals/{id}/cancel')
      return order
    },
    act: (world) => attempt(world, () => runJobs(world)),
  },
  {
    name: 'the job that gives back a rental nobody took',
    async given(world) {
      const buyer = await newBuyer(world)
      const [{ rent: first }] = world.suppliers
      first.onRent = async (order) => {
        first.give(order)
        throw new Error('the line broke')
      }
      await rent(world, buyer)
      return buyer
    },
    act: (world) => attempt(world, () => runJobs(world)),
  },
]

export const rentalWalks = [...renting, ...extending, ...ends, ...left, ...jobs] as readonly Walk[]

/** Settles what an earlier process left, as a start does. */
async function settleLeft(ctx: Context): Promise<void> {
  await takeOverOrphans(ctx)
  await settleRentalOrphans(ctx)
}
