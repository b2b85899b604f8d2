import { expect } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { endForgotten } from '#server/adapters/sim-bank/serve/end-order.ts'
import { pushMessages } from '#server/adapters/sim-bank/serve/push-messages.ts'
import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import { ACCEPTED, openPlatformHouse, PLATFORM_KEY, type PlatformHouse } from '#test/fakes/sim-bank/platform-house.ts'
import { type Buyer, codeFor, leftBy, newBuyer } from '../orders.ts'
import { attempt, type Walk } from '../walk.ts'
import { type Answer, settleDown, type World } from '../world.ts'

const WANTED = { action: 'GET_NUMBER', country: 'kazakhstan', operator: 'any', service: 'tg', sum: 20, currency: 643 }

/** The faults for statements that another test of this file tries with every fault. */
const KILLED = ['killed before it', 'killed after it', 'answer lost'] as const

/**
 * The account by which a platform buys. `heard` are the activation ids that the platform got, and `unheard` counts its
 * requests without an answer.
 */
type Outlet = Buyer & { code: string; house: PlatformHouse; heard: string[]; unheard: number }
type Given = Outlet & { id: string; phone: string }

let house: PlatformHouse | undefined
let outlets = 0

/**
 * Creates an account by which the platform buys. All accounts share one platform, which ends with the test's process.
 */
async function newOutlet(world: World): Promise<Outlet> {
  const buyer = await newBuyer(world)
  const { t } = world
  await t.makeApiKey(buyer.client)
  house ??= await openPlatformHouse(t, { agent: buyer.client, answerSeconds: 10 })
  house.onPush = () => ACCEPTED
  outlets += 1
  const code = `hub-${outlets}`
  await t.ctx.db.query({
    name: 'walk-outlet',
    text: `INSERT INTO outlets (code, kind, api_key_id, settings, created_at)
      SELECT $1, kind, (SELECT max(id) FROM api_keys WHERE user_id = $2), settings, created_at FROM outlets WHERE code = 'hub'`,
    values: [code, buyer.client.id],
  })
  return { ...buyer, code, house, heard: [], unheard: 0 }
}

async function say({ life }: World, { code, client }: Outlet, fields: object): Promise<Answer | null> {
  const call = {
    method: 'POST' as const,
    url: `/agent/${code}`,
    remoteAddress: client.network,
    headers: { host: 'ringpost.test', 'content-type': 'application/json' },
    payload: JSON.stringify({ key: PLATFORM_KEY, ...fields }),
  }
  const reply = await Promise.race([life.app.inject(call), life.faulty.killed])
  if (reply === undefined) return null
  const body = JSON.parse(reply.body) as Record<string, unknown>
  const word = String(body.error ?? body.status)
  const status = word === 'NO_NUMBERS' ? 409 : reply.statusCode
  return { status, code: status === 200 ? null : word, body, cookies: {} }
}

async function getNumber(world: World, outlet: Outlet): Promise<Answer | null> {
  const answer = await say(world, outlet, WANTED)
  if (answer === null) outlet.unheard += 1
  if (answer?.status === 200) outlet.heard.push(String(answer.body.activationId))
  return answer
}

async function given(world: World): Promise<Given> {
  const outlet = await newOutlet(world)
  const answer = await getNumber(world, outlet)
  const [id] = outlet.heard
  if (id === undefined) throw new Error(`no number was given: ${JSON.stringify(answer?.body)}`)
  return { ...outlet, id, phone: String(answer?.body.number) }
}

async function withCode(world: World): Promise<Given> {
  const one = await given(world)
  const { rows } = await world.t.ctx.db.query<{ supplierId: number }>({
    name: 'walk-outlet-supplier',
    text: 'SELECT supplier_id AS "supplierId" FROM activations WHERE id = $1',
    values: [one.id],
  })
  await receiveSms(world.life.ctx, codeFor({ phone: one.phone, supplierId: rows[0]?.supplierId ?? 0 }))
  return one
}

type Left = { id: string; state: string; told: number | null; isCarriedOut: boolean | null }

async function listLeft({ t }: World, { client }: Outlet): Promise<Left[]> {
  const { rows } = await t.ctx.db.query<Left>({
    name: 'walk-outlet-left',
    text: `SELECT a.id::text, a.state, o.told, o.carried_out AS "isCarriedOut"
      FROM activations a LEFT JOIN outlet_orders o ON o.activation_id = a.id
      WHERE a.user_id = $1 AND a.phone IS NOT NULL ORDER BY a.id`,
    values: [client.id],
  })
  return rows
}

/**
 * Expects that numbers known to the platform wait for codes. Numbers whose answer was lost must have been given back,
 * if the service knows of the loss.
 */
async function isGivenOrBack(world: World, outlet: Outlet): Promise<void> {
  world.t.clock.advance(3 * MINUTE)
  await settleDown(world)
  const left = await listLeft(world, outlet)
  const isHeard = ({ id }: Left) => outlet.heard.includes(id)
  expect(left.filter(isHeard).map(({ state }) => state)).toEqual(outlet.heard.map(() => 'waiting'))
  const others = left.filter((row) => !isHeard(row) && row.state !== 'cancelled')
  expect(others).toEqual(others.map(({ id }) => ({ id, state: 'waiting', told: null, isCarriedOut: false })))
  expect(others.length).toBeLessThanOrEqual(outlet.unheard)
}

/** Expects that a message is pushed. A killed process may push it twice, but always with the same content. */
async function isPushed(world: World, { house: { pushed }, phone, id }: Given): Promise<void> {
  await settleDown(world)
  const words = pushed.filter((push) => String(push.phone) === phone)
  expect(words.length).toBeGreaterThan(0)
  expect(new Set(words.map((push) => JSON.stringify(push))).size).toBe(1)
  const { rows } = await world.t.ctx.db.query({
    name: 'walk-outlet-pushes',
    text: 'SELECT state FROM outlet_pushes WHERE activation_id = $1',
    values: [id],
  })
  expect(rows).toEqual([{ state: 'accepted' }])
}

const ended =
  (state: string, told: number) =>
  async (world: World, outlet: Given): Promise<void> =>
    expect(await listLeft(world, outlet)).toEqual([{ id: outlet.id, state, told, isCarriedOut: true }])

const finish = (told: number) => (world: World, outlet: Given) =>
  say(world, outlet, { action: 'FINISH_ACTIVATION', activationId: Number(outlet.id), status: told })

const push = ({ life: { ctx } }: World): Promise<void> => pushMessages(ctx)

const sale: Walk<Outlet> = {
  name: 'a number that a platform is given',
  given: newOutlet,
  act: getNumber,
  refusals: ['NO_NUMBERS'],
  after: isGivenOrBack,
}

const pushes: Walk<Given>[] = [
  {
    name: 'a message that is pushed to a platform',
    given: withCode,
    act: (world) => attempt(world, () => push(world)),
    after: isPushed,
  },
  {
    name: 'a message that its platform refuses at first',
    async given(world) {
      const one = await withCode(world)
      let refusals = 0
      one.house.onPush = () => (refusals++ === 0 ? { status: 503, text: '' } : ACCEPTED)
      return one
    },
    act: (world) => attempt(world, () => push(world)),
    faults: KILLED,
    after: isPushed,
  },
]

const ends: Walk<Given>[] = [
  { name: 'a number with a code that its platform ends', given: withCode, act: finish(3), after: ended('finished', 3) },
  {
    name: 'a number without a code that its platform ends',
    async given(world) {
      const one = await given(world)
      world.t.clock.advance(2 * MINUTE + SECOND)
      return one
    },
    act: finish(4),
    after: ended('cancelled', 4),
  },
  {
    name: 'a number that its platform finds used',
    given,
    act: finish(1),
    faults: KILLED,
    after: ended('used', 1),
  },
]

const forgotten: Walk<Outlet> = {
  name: 'a number that no platform was told of',
  async given(world) {
    const outlet = await newOutlet(world)
    await leftBy(world, { at: 'outlet-order-insert', fault: 'killed before it', verb: () => getNumber(world, outlet) })
    world.t.clock.advance(2 * MINUTE + SECOND)
    return { ...outlet, unheard: 0 }
  },
  act: (world) => attempt(world, () => endForgotten(world.life.ctx)),
  faults: KILLED,
  after: isGivenOrBack,
}

export const outletWalks = [sale, ...pushes, ...ends, forgotten] as readonly Walk[]
