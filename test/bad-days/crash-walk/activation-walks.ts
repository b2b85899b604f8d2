import { expect } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { routeBookOf } from '#server/core/catalog/routing/route-book.ts'
import { reportUnusable } from '#server/core/numbers/activations/report-unusable.ts'
import { sweepExpired } from '#server/core/numbers/activations/sweep.ts'
import { settleOrphans } from '#server/core/numbers/purchase/activation-orphans.ts'
import { type Buyer, bought, buy, leftBy, newBuyer, type Order, press, withCode } from './orders.ts'
import { attempt, type Walk } from './walk.ts'
import { recover, runJobs, type World } from './world.ts'

const CANCELLABLE_MS = 2 * MINUTE + SECOND
const LIFETIME_MS = 20 * MINUTE + SECOND

const refuses = async () => ({ outcome: 'refused' as const, reason: 'no-numbers' as const })

async function stateOf({ t }: World, id: number): Promise<string | undefined> {
  const { rows } = await t.ctx.db.query<{ state: string }>({
    name: 'walk-state',
    text: 'SELECT state FROM activations WHERE id = $1',
    values: [id],
  })
  return rows[0]?.state
}

const endsIn =
  (state: string) =>
  async (world: World, { id }: Order) => {
    expect(await stateOf(world, id)).toBe(state)
  }

const buying: Walk<Buyer>[] = [
  { name: 'a purchase', given: (world) => newBuyer(world), act: buy, keyed: true, refusals: ['NO_NUMBERS'] },
  {
    name: 'a purchase whose route is explained',
    async given(world) {
      const [{ id }] = world.suppliers
      routeBookOf(world.life.ctx).setRules(new Map([[id, { weightPercent: 90, perMinute: null }]]))
      return newBuyer(world)
    },
    act: buy,
    keyed: true,
    refusals: ['NO_NUMBERS'],
    after: async ({ life }) => routeBookOf(life.ctx).setRules(new Map()),
  },
  {
    name: 'a purchase that the first supplier refuses',
    async given(world) {
      const buyer = await newBuyer(world)
      world.suppliers[0].onBuy = refuses
      return buyer
    },
    act: buy,
    keyed: true,
    refusals: ['NO_NUMBERS'],
  },
  {
    name: 'a purchase whose first answer was lost on the way',
    async given(world) {
      const buyer = await newBuyer(world)
      const [first] = world.suppliers
      first.onBuy = async (order) => {
        first.sell(order)
        throw new Error('the line broke')
      }
      return buyer
    },
    act: buy,
    keyed: true,
    refusals: ['NO_NUMBERS'],
  },
  {
    name: 'a purchase that nobody has a number for',
    async given(world) {
      const buyer = await newBuyer(world)
      for (const supplier of world.suppliers) supplier.onBuy = refuses
      return buyer
    },
    act: buy,
    refusals: ['NO_NUMBERS'],
  },
  {
    name: 'a purchase that cannot be paid',
    given: (world) => newBuyer(world, '1'),
    act: buy,
    refusals: ['NO_BALANCE'],
  },
]

const again: Walk<Order>[] = [
  {
    name: 'a replacement',
    async given(world) {
      const order = await bought(world)
      world.t.clock.advance(CANCELLABLE_MS)
      return order
    },
    act: (world, order) => press(world, order, 'activations/{id}/replace'),
    keyed: true,
    refusals: ['NO_NUMBERS'],
    async after(world, { id }) {
      expect(['cancelled', 'waiting']).toContain(await stateOf(world, id))
    },
  },
  {
    name: 'a number bought once more',
    async given(world) {
      const order = await withCode(world, await bought(world))
      await press(world, order, 'activations/{id}/finish')
      return order
    },
    act: (world, order) => press(world, order, 'activations/{id}/repeat'),
    keyed: true,
    refusals: ['REPEAT_UNAVAILABLE'],
    after: endsIn('finished'),
  },
]

const ends: Walk<Order>[] = [
  {
    name: 'a cancel',
    async given(world) {
      const order = await bought(world)
      world.t.clock.advance(CANCELLABLE_MS)
      return order
    },
    act: (world, order) => press(world, order, 'activations/{id}/cancel'),
    after: endsIn('cancelled'),
  },
  {
    name: 'a number reported as used',
    given: (world) => bought(world),
    act: (world, order) => press(world, order, 'activations/{id}/used'),
    after: endsIn('used'),
  },
  {
    name: 'a code that is reported as not its buyer’s',
    given: async (world) => withCode(world, await bought(world)),
    act: (world, order) => press(world, order, 'activations/{id}/not-my-code'),
    after: endsIn('finished'),
  },
  {
    name: 'another code',
    given: async (world) => withCode(world, await bought(world)),
    act: (world, order) => press(world, order, 'activations/{id}/again'),
    after: endsIn('waiting_again'),
  },
  {
    name: 'another code that the supplier refuses',
    async given(world) {
      const order = await withCode(world, await bought(world))
      for (const supplier of world.suppliers) supplier.onAskAgain = async () => false
      return order
    },
    act: (world, order) => press(world, order, 'activations/{id}/again'),
    refusals: ['AGAIN_UNAVAILABLE'],
    async after(world, { id }, { status }) {
      expect(await stateOf(world, id)).toBe(status < 400 ? 'waiting_again' : 'received')
    },
  },
  {
    name: 'a finish',
    given: async (world) => withCode(world, await bought(world)),
    act: (world, order) => press(world, order, 'activations/{id}/finish'),
    after: endsIn('finished'),
  },
  {
    name: 'a number that its supplier finds unusable',
    given: (world) => bought(world),
    act: (world, { id, supplierId }) =>
      attempt(world, () => reportUnusable(world.life.ctx, { supplierId, reference: `${id}-1` })),
    after: endsIn('used'),
  },
  {
    name: 'the end of the time, without a code',
    async given(world) {
      const order = await bought(world)
      world.t.clock.advance(LIFETIME_MS)
      return order
    },
    act: (world) => attempt(world, () => sweepExpired(world.life.ctx)),
    after: endsIn('expired'),
  },
  {
    name: 'the end of the time, after a code',
    async given(world) {
      const order = await withCode(world, await bought(world))
      world.t.clock.advance(LIFETIME_MS)
      return order
    },
    act: (world) => attempt(world, () => sweepExpired(world.life.ctx)),
    after: endsIn('finished'),
  },
]

const left: Walk<Buyer>[] = [
  {
    name: 'a start that finds a purchase whose number was sold',
    async given(world) {
      const buyer = await newBuyer(world)
      await leftBy(world, { at: 'activation-settle', fault: 'killed before it', verb: () => buy(world, buyer) })
      return buyer
    },
    act: (world) => attempt(world, () => recover(world)),
  },
  {
    name: 'a start that finds a purchase nobody was asked for',
    async given(world) {
      const buyer = await newBuyer(world)
      await leftBy(world, { at: 'activation-reserve', fault: 'killed after it', verb: () => buy(world, buyer) })
      return buyer
    },
    act: (world) => attempt(world, () => settleOrphans(world.life.ctx)),
  },
  {
    name: 'a start that comes when the time with the number is over',
    async given(world) {
      const buyer = await newBuyer(world)
      await leftBy(world, { at: 'activation-settle', fault: 'killed before it', verb: () => buy(world, buyer) })
      world.t.clock.advance(LIFETIME_MS)
      return buyer
    },
    act: (world) => attempt(world, () => settleOrphans(world.life.ctx)),
  },
]

const jobs: Walk<{ userIds: number[] }>[] = [
  {
    name: 'the job that tells a supplier how it ended',
    async given(world) {
      const order = await bought(world)
      await press(world, order, 'activations/{id}/used')
      return order
    },
    act: (world) => attempt(world, () => runJobs(world)),
  },
  {
    name: 'the job that gives back what nobody took',
    async given(world) {
      const buyer = await newBuyer(world)
      const [first] = world.suppliers
      first.onBuy = async (order) => {
        first.sell(order)
        throw new Error('the line broke')
      }
      await buy(world, buyer)
      return buyer
    },
    act: (world) => attempt(world, () => runJobs(world)),
  },
]

export const activationWalks = [...buying, ...again, ...ends, ...left, ...jobs] as readonly Walk[]
