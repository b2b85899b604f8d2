import { expect, test, vi } from 'vitest'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import { settleOrphans } from '#server/core/numbers/purchase/activation-orphans.ts'
import { settleRentalOrphans } from '#server/core/numbers/purchase/rental-orphans.ts'
import { takeOverOrphans } from '#server/core/numbers/purchase/take-over-orphans.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import { endNode, insertNode } from '#server/house/nodes/queries.ts'
import { followSuppliers } from '#server/programs/boot/start-suppliers.ts'
import { buyOne, expectBooksRight, moneyOf } from '#test/builders/activation-rows.ts'
import { rentOne } from '#test/builders/rental-rows.ts'
import { addFiveSim } from '#test/builders/suppliers/five-sim-supplier.ts'
import { addField } from '#test/builders/suppliers/handler-api-supplier.ts'
import { openBank } from '#test/fakes/sim-bank/open-bank.ts'
import { refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

/** The longest that a supplier may still be asking its own suppliers, after which a purchase counts as not made. */
const UNDER_WAY_THERE_MS = 45_000

/** `hold` runs before the fake supplier sells; it may return an answer in place of the sale. */
type House = AsyncDisposable & {
  atSale(hold: () => Promise<object | undefined>): void
  /** Refuses the next end of a number, as too early. */
  refuseEnd(): void
  /** Repeats the answer by which the newest number was sold. */
  newest(): object
  states(): unknown[]
}

const activation = {
  buy: buyOne,
  refuse: (t: TestApp, buyer: TestUser) =>
    refused(t, 'POST /api/v1/activations', { service_id: 'tg', country_id: 2 }, { token: buyer.token }),
  settle: settleOrphans,
}
const rental = {
  buy: rentOne,
  refuse: (t: TestApp, buyer: TestUser) =>
    refused(t, 'POST /api/v1/rentals', { service_id: 'full', country_id: 2, period: 24 }, { token: buyer.token }),
  settle: settleRentalOrphans,
}

async function handlerApi(t: TestApp): Promise<House> {
  const { house, ...field } = await addField(t, 'sms-activate')
  let hold = async (): Promise<object | undefined> => undefined
  let refusals = 0
  house.instead = async (action) => {
    if (action === 'setStatus' && refusals-- > 0) return { body: 'EARLY_CANCEL_DENIED' }
    const body = action === 'getNumberV2' ? await hold() : undefined
    return body && { body }
  }
  return {
    atSale: (given) => (hold = given),
    refuseEnd: () => (refusals = 1),
    newest() {
      const { id, phone } = [...house.sold.values()].at(-1) ?? expect.fail()
      return { activationId: Number(id), phoneNumber: phone, activationCost: 12.5 }
    },
    states: () => [...house.sold.values()].map(({ state }) => state),
    [Symbol.asyncDispose]: () => field[Symbol.asyncDispose](),
  }
}

async function rents(t: TestApp): Promise<House> {
  const { house, ...field } = await addField(t, 'sms-activate')
  await vi.waitUntil(() => rentCatalogOf(t.ctx).pair('full', 2) !== undefined, { timeout: 10_000 })
  let hold = async (): Promise<object | undefined> => undefined
  let refusals = 0
  house.instead = async (action) => {
    if (action === 'setRentStatus' && refusals-- > 0) return { body: { status: 'error', message: 'SQL_ERROR' } }
    const body = action === 'getRentNumber' ? await hold() : undefined
    return body && { body }
  }
  return {
    atSale: (given) => (hold = given),
    refuseEnd: () => (refusals = 1),
    newest() {
      const { id, phone } = [...house.renting.rents.values()].at(-1) ?? expect.fail()
      return { status: 'success', phone: { id: Number(id), endDate: '2027-01-01T00:00:00', number: phone } }
    },
    states: () => [...house.renting.rents.values()].map(({ state }) => state),
    [Symbol.asyncDispose]: () => field[Symbol.asyncDispose](),
  }
}

async function fiveSim(t: TestApp): Promise<House> {
  const { house, ...five } = await addFiveSim(t)
  let hold = async (): Promise<object | undefined> => undefined
  let refusals = 0
  house.instead = async (path) => {
    if (path.startsWith('/user/cancel/') && refusals-- > 0) return { status: 500, body: 'internal error' }
    const body = path.startsWith('/user/buy/') ? await hold() : undefined
    return body && { body }
  }
  return {
    atSale: (given) => (hold = given),
    refuseEnd: () => (refusals = 1),
    newest() {
      const { madeAt: _madeAt, reuse: _reuse, ...order } = [...house.sold.values()].at(-1) ?? expect.fail()
      return order
    },
    states: () => [...house.sold.values()].map(({ status }) => status),
    [Symbol.asyncDispose]: () => five[Symbol.asyncDispose](),
  }
}

async function simBank(t: TestApp): Promise<House> {
  const { house } = await openBank(t)
  let hold = async (): Promise<object | undefined> => undefined
  let refusals = 0
  house.onAsk = async (action) => {
    if (action === 'FINISH_ACTIVATION' && refusals-- > 0) return { status: 'ERROR', error: 'busy' }
    return action === 'GET_NUMBER' ? ((await hold()) as Record<string, unknown> | undefined) : undefined
  }
  return {
    atSale: (given) => (hold = given),
    refuseEnd: () => (refusals = 1),
    newest() {
      const { number, activationId } = house.sold.at(-1) ?? expect.fail()
      return { number, activationId, status: 'SUCCESS' }
    },
    states: () => house.sold.map(({ told }) => told.join()),
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  }
}

/** Two nodes of one service, of which A is declared dead while its purchase is held at the supplier. */
async function openNodes(open: (t: TestApp) => Promise<House>) {
  await using stack = new AsyncDisposableStack()
  const a = stack.use(await startTestApp())
  const house = stack.use(await open(a))
  const b = stack.use(await startTestApp({ database: a.database, clock: a.clock }))
  await followSuppliers(b.ctx)
  for (const { ctx } of [a, b]) {
    nodeOf(ctx).id = await insertNode(ctx.db, { host: 'h', pid: 1, version: '0.1.0', commit: null })
  }
  const running = stack.move()
  return { a, b, house, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

type Nodes = Awaited<ReturnType<typeof openNodes>>

/** Buys at node A. Node B gives the order up before the supplier's answer, which is `told`, or else a sale. */
async function buyTooLate({ a, b, house }: Nodes, kind: typeof activation, buyer: TestUser, told?: object) {
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<object | undefined>()
  house.atSale(() => {
    asked.resolve()
    return answered.promise
  })
  const refusal = kind.refuse(a, buyer)
  await asked.promise
  await endNode(a.ctx.db, nodeOf(a.ctx).id)
  a.clock.advance(UNDER_WAY_THERE_MS)
  await takeOverOrphans(b.ctx)
  expect(await kind.settle(b.ctx)).toBe(1)
  answered.resolve(told)
  expect((await refusal).body.code).toBe('NO_NUMBERS')
}

const KINDS = [
  ['handler_api', activation, handlerApi, 'waiting', 'cancelled'],
  ['rentals of handler_api', rental, rents, 'open', 'cancelled'],
  ['5sim', activation, fiveSim, 'PENDING', 'CANCELED'],
  ['SIM banks', activation, simBank, '', '4'],
] as const

test.each(KINDS)(
  '%s: a number that comes after another node gave its order up is given back, until the supplier accepts it',
  async (_name, kind, open, held, ended) => {
    await using nodes = await openNodes(open)
    const { a, b, house } = nodes
    const buyer = await a.makeUser({ balance: '1000.00' })
    await buyTooLate(nodes, kind as typeof activation, buyer)
    expect(house.states()).toEqual([held])
    house.refuseEnd()
    await b.runJobs()
    expect(house.states()).toEqual([held])
    await b.hurryJobs()
    expect(house.states()).toEqual([ended])
    await b.hurryJobs()
    expect(house.states()).toEqual([ended])
    expect(await moneyOf(b, buyer)).toEqual({ balance: '1000.00', held: '0.00' })
    await expectBooksRight(b.ctx)
  },
)

test.each(KINDS)(
  '%s: the number of another order is never given back, whoever gave the order of its second sale up',
  async (_name, kind, open, held) => {
    await using nodes = await openNodes(open)
    const { a, b, house } = nodes
    const [owner, buyer] = [await a.makeUser({ balance: '1000.00' }), await a.makeUser({ balance: '1000.00' })]
    await kind.buy(a, owner)
    const before = await moneyOf(a, owner)
    await buyTooLate(nodes, kind as typeof activation, buyer, house.newest())
    await b.hurryJobs()
    expect(house.states()).toEqual([held])
    expect(await moneyOf(b, owner)).toEqual(before)
    expect(await moneyOf(b, buyer)).toEqual({ balance: '1000.00', held: '0.00' })
    await expectBooksRight(b.ctx)
  },
)
