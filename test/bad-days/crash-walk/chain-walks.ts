import { expect } from 'vitest'
import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import { createEvm } from '#server/adapters/evm/evm.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import { followArrivals } from '#server/core/payments/follow-arrivals.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { storeRate } from '#server/house/rates/queries.ts'
import { insertGateway } from '#server/programs/cli/queries/gateways.ts'
import { XPUB } from '#test/builders/money/chain.ts'
import { openScriptedChain, SCRIPTED_TOKEN, type ScriptedChain } from '#test/fakes/chain/scripted-chain.ts'
import { type Buyer, newBuyer, newKey } from './orders.ts'
import { attempt, type Walk } from './walk.ts'
import { ask, type World } from './world.ts'

const AMOUNT = '900.00'
const UNITS = 10_000_000n
const CONFIRMATIONS = 2
const BLOCK_MS = 12 * SECOND

/** The faults that the tests of this file try. Every other fault has the same effect as one of these. */
const MEANINGFUL = ['killed before it', 'answer lost', 'deadlock'] as const

type Awaiting = Buyer & { transaction: string; address: string }

let chain: ScriptedChain | undefined
const gatewayIds = new WeakMap<World['t'], number>()

/** All tests of this file share one fake blockchain, whose process ends with the process of the test. */
async function chainOf({ t }: World): Promise<ScriptedChain> {
  chain ??= await openScriptedChain(t.clock.now())
  return chain
}

async function settingsOf(world: World): Promise<Record<string, unknown>> {
  const { url, chainId } = await chainOf(world)
  const asset = { symbol: 'USDT', contract: SCRIPTED_TOKEN, decimals: 6, rate: 'usdt', dust: '1.00' }
  const network = { en: 'Walk', ru: 'Прогулка' }
  return { rpc: [url], chain_id: chainId, network, confirmations: CONFIRMATIONS, xpub: XPUB, assets: [asset] }
}

/** Registers the payment gateway again, because each new process of the service must build its gateways anew. */
async function atWork(world: World): Promise<void> {
  const { t, life } = world
  const settings = await settingsOf(world)
  const known = gatewayIds.get(t)
  const made = known ?? (await insertGateway(t.ctx.db, { code: 'evm', kind: 'evm', settings, now: t.clock.now() }))
  if (made === null) throw new Error('the gateway of the walks is there already')
  gatewayIds.set(t, made)
  if (gatewaysOf(life.ctx).get(made) !== undefined) return
  const gateway = createEvm(life.ctx, { id: made, code: 'evm', kind: 'evm', settings })
  gatewaysOf(life.ctx).put({ gateway, settingsVersion: 1, isPaused: false })
}

async function mine(world: World, count: number, transfers: Parameters<ScriptedChain['mine']>[1] = []): Promise<void> {
  const written = await chainOf(world)
  for (let mined = 0; mined < count; mined += 1) {
    world.t.clock.advance(BLOCK_MS)
    written.mine(world.t.clock.now(), mined === 0 ? transfers : [])
  }
}

const round = (world: World) =>
  attempt(world, async () => {
    await atWork(world)
    await followArrivals(world.life.ctx)
  })

async function freshRate({ t }: World): Promise<void> {
  const rate = { currency: 'usdt', rubMicros: 90_000_000n, source: 'walk', now: t.clock.now() }
  await transaction(t.ctx.db, (tx) => storeRate(tx, rate))
}

const begin = (world: World, { client, key }: Buyer, amount = AMOUNT) =>
  ask(world, client, 'POST /api/v1/payments', { system: 'evm-usdt', amount, key })

async function noneDue({ t }: World): Promise<void> {
  await t.ctx.db.query({ name: 'walk-chain-none-due', text: 'UPDATE payments SET next_check_at = NULL' })
}

/** Creates a buyer with an open payment. The service has read the blockchain to its newest block. */
async function awaiting(world: World): Promise<Awaiting> {
  await noneDue(world)
  await freshRate(world)
  await atWork(world)
  await mine(world, 1)
  await round(world)
  const buyer = await newBuyer(world, '0')
  const answer = await begin(world, buyer)
  const data = answer?.body.data as { transaction_id: string; address: string } | undefined
  if (data === undefined) throw new Error(`no payment was begun: ${answer?.status} ${answer?.code}`)
  return { ...buyer, key: newKey(), transaction: data.transaction_id, address: data.address }
}

async function credited(world: World): Promise<Awaiting> {
  const given = await awaiting(world)
  await mine(world, CONFIRMATIONS, [{ to: given.address, units: UNITS }])
  await round(world)
  return given
}

/** Creates a credited payment whose deposit a chain reorganisation has removed, unnoticed by the service. */
async function reorganised(world: World): Promise<Awaiting> {
  const given = await credited(world)
  const written = await chainOf(world)
  written.drop(CONFIRMATIONS)
  await mine(world, CONFIRMATIONS + 1)
  return given
}

type Sum = { state: string; available: string; deposits: string }

async function sumOf({ t }: World, { client }: Buyer): Promise<Sum> {
  const { rows } = await t.ctx.db.query<Sum>({
    name: 'walk-chain-sum',
    text: `SELECT string_agg(p.state, ' ' ORDER BY p.id) AS state, (a.available_micros / 10000)::text AS available,
        (SELECT count(*) FROM chain_deposits d WHERE d.user_id = a.user_id)::text AS deposits
      FROM accounts a LEFT JOIN payments p USING (user_id) WHERE a.user_id = $1 GROUP BY a.user_id`,
    values: [client.id],
  })
  return rows[0] ?? { state: '', available: '', deposits: '' }
}

const endsWith = (sum: Sum) => async (world: World, given: Buyer) => expect(await sumOf(world, given)).toEqual(sum)

const walks: Walk<Awaiting>[] = [
  {
    name: 'a round that finds what is deep enough already',
    async given(world) {
      const given = await awaiting(world)
      await mine(world, CONFIRMATIONS, [{ to: given.address, units: UNITS }])
      return given
    },
    act: round,
    faults: MEANINGFUL,
    after: endsWith({ state: 'paid', available: '90000', deposits: '1' }),
  },
  {
    name: 'a round that finds what nobody asked for',
    async given(world) {
      const given = await awaiting(world)
      // A deposit is no longer matched with a payment that is 30 days old, so the payment is dated back.
      await world.t.ctx.db.query({
        name: 'walk-chain-old',
        text: `UPDATE payments SET state = 'expired', expires_at = expires_at - interval '30 days', created_at = created_at - interval '30 days'
          WHERE user_id = $1`,
        values: [given.client.id],
      })
      await mine(world, CONFIRMATIONS, [{ to: given.address, units: UNITS }])
      return given
    },
    act: round,
    faults: MEANINGFUL,
    after: endsWith({ state: 'expired paid', available: '90000', deposits: '1' }),
  },
  {
    name: 'a round that finds a reorganisation below what was credited',
    given: reorganised,
    act: round,
    faults: MEANINGFUL,
    after: endsWith({ state: 'disputed', available: '0', deposits: '1' }),
  },
  {
    name: 'a round that gives up what was lost',
    async given(world) {
      const given = await reorganised(world)
      await round(world)
      world.t.clock.advance(DAY + MINUTE)
      return given
    },
    act: round,
    faults: MEANINGFUL,
    after: endsWith({ state: 'disputed', available: '0', deposits: '1' }),
  },
]

const beginning: Walk<Buyer>[] = [
  {
    name: 'a payment to an address',
    async given(world) {
      await noneDue(world)
      await freshRate(world)
      await atWork(world)
      await round(world)
      return newBuyer(world, '0')
    },
    async act(world, given) {
      await atWork(world)
      return begin(world, given)
    },
    keyed: true,
  },
  {
    name: 'a payment of another amount in place of the open one',
    given: awaiting,
    async act(world, given) {
      await atWork(world)
      return begin(world, given, '450.00')
    },
    keyed: true,
    async after(world, given) {
      expect((await sumOf(world, given)).state).toMatch(/^expired (pending|expired)$/)
    },
  },
  {
    name: 'a payment that is open already',
    given: awaiting,
    async act(world, given) {
      await atWork(world)
      return begin(world, given)
    },
    keyed: true,
    async after(world, given) {
      expect((await sumOf(world, given)).state).toMatch(/^(pending|expired)$/)
    },
  },
]

export const chainWalks = [...beginning, ...walks] as readonly Walk[]
