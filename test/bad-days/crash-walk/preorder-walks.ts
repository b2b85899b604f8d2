import { expect } from 'vitest'
import { HOUR, SECOND } from '#contract/time.ts'
import { setBlocked } from '#server/core/accounts/users/queries.ts'
import { sweepPreorders } from '#server/core/numbers/preorders/sweep.ts'
import { type Buyer, leftBy, newBuyer, TELEGRAM } from './orders.ts'
import { attempt, type Walk } from './walk.ts'
import { type Answer, ask, settleDown, type World } from './world.ts'

const ENOUGH = '20.00'
const TOO_LITTLE = '1.00'

type Waiting = Buyer & { id: number }

const refuses = async () => ({ outcome: 'refused' as const, reason: 'no-numbers' as const })

const place = (world: World, { client, key }: Buyer, max_price = ENOUGH): Promise<Answer | null> =>
  ask(world, client, 'POST /api/v1/preorders', { ...TELEGRAM, max_price, hours: 1, key })

async function waiting(world: World, maxPrice = ENOUGH): Promise<Waiting> {
  const buyer = await newBuyer(world)
  const answer = await place(world, buyer, maxPrice)
  const { id } = (answer?.body.data ?? {}) as { id?: number }
  if (id === undefined) throw new Error(`there is no pre-order: ${JSON.stringify(answer)}`)
  return { ...buyer, id }
}

async function stateOf({ t }: World, id: number): Promise<string | undefined> {
  const { rows } = await t.ctx.db.query<{ state: string }>({
    name: 'walk-preorder-state',
    text: 'SELECT state FROM preorders WHERE id = $1',
    values: [id],
  })
  return rows[0]?.state
}

const sweep = (world: World) => attempt(world, () => sweepPreorders(world.life.ctx))

const cancel = (world: World, { client, id }: Waiting) => ask(world, client, `POST /api/v1/preorders/${id}/cancel`)

const endsIn =
  (...states: string[]) =>
  async (world: World, { id }: Waiting) => {
    expect(states).toContain(await stateOf(world, id))
  }

const placing: Walk<Buyer>[] = [
  { name: 'a pre-order', given: (world) => newBuyer(world), act: (world, buyer) => place(world, buyer), keyed: true },
  {
    name: 'a pre-order that cannot be paid',
    given: (world) => newBuyer(world, '1'),
    act: (world, buyer) => place(world, buyer),
    refusals: ['NO_BALANCE'],
  },
]

const living: Walk<Waiting>[] = [
  {
    name: 'a cancelled pre-order',
    given: (world) => waiting(world, TOO_LITTLE),
    act: cancel,
    after: endsIn('cancelled'),
  },
  {
    name: 'a purchase for a pre-order',
    given: (world) => waiting(world),
    act: sweep,
    async after(world, order) {
      // A pre-order whose purchase failed is bought after its retry delay.
      if ((await stateOf(world, order.id)) === 'waiting') await settleDown(world)
      await endsIn('bought')(world, order)
    },
  },
  {
    name: 'a purchase for a pre-order that nobody has a number for',
    async given(world) {
      const order = await waiting(world)
      for (const supplier of world.suppliers) supplier.onBuy = refuses
      return order
    },
    act: sweep,
    async after(world, order) {
      await endsIn('waiting')(world, order)
      await cancel(world, order)
    },
  },
  {
    name: 'a pre-order whose buyer was blocked',
    async given(world) {
      const order = await waiting(world)
      await setBlocked(world.t.ctx.db, { userId: order.client.id, blockedAt: world.t.clock.now() })
      return order
    },
    act: sweep,
    async after(world, order) {
      await endsIn('waiting')(world, order)
      await setBlocked(world.t.ctx.db, { userId: order.client.id, blockedAt: null })
      await cancel(world, order)
    },
  },
  {
    name: 'the end of the time of a pre-order',
    async given(world) {
      const order = await waiting(world, TOO_LITTLE)
      world.t.clock.advance(HOUR + SECOND)
      return order
    },
    act: sweep,
    after: endsIn('expired'),
  },
  {
    name: 'a pre-order whose purchase was never told of',
    async given(world) {
      const order = await waiting(world)
      const verb = () => sweepPreorders(world.life.ctx)
      await leftBy(world, { at: 'preorder-bought', fault: 'killed before it', verb })
      return order
    },
    act: sweep,
    after: endsIn('bought'),
  },
]

export const preorderWalks = [...placing, ...living] as readonly Walk[]
