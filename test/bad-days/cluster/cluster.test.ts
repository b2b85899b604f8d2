import { afterAll, beforeAll, expect, test } from 'vitest'
import { Pool } from '#server/house/db/pool.ts'
import { listNodes } from '#server/house/nodes/queries.ts'
import { demoBuyer, demoVoucher } from '#server/programs/demo/fill-demo.ts'
import { freePort } from '#test/harness/free-port.ts'
import { listen } from '#test/harness/live-listener.ts'
import { quietLog } from '#test/harness/postgres/temporary-postgres.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { expectLedgerRight } from '../real-service.ts'
import { type Cluster, hasCluster, startCluster } from './cluster.ts'
import { startHaproxy } from './haproxy.ts'

type Answer<Data> = { status: number; body: { code?: string; data: Data } }
type Number = { id: number; phone: string; state: string; code: string | null; price: string }

let cluster: Cluster
let onlooker: Pool

beforeAll(async () => {
  if (!hasCluster) return
  cluster = await startCluster(3)
  onlooker = new Pool({
    connectionString: cluster.databaseUrl,
    maxConnections: 2,
    applicationName: 'onlooker',
    log: quietLog,
  })
})
afterAll(async () => {
  if (!hasCluster) return
  await onlooker[Symbol.asyncDispose]()
  await cluster[Symbol.asyncDispose]()
})

/** Returns the address of a node, or of HAProxy. */
function urlOf(place: number | 'proxy'): string {
  return place === 'proxy' ? cluster.url : (cluster.nodes[place]?.url ?? '')
}

async function call<Data>(
  place: number | 'proxy',
  line: string,
  { token, body, key }: { token?: string; body?: object; key?: string } = {},
): Promise<Answer<Data>> {
  const [method = '', path = ''] = line.split(' ')
  const reply = await fetch(urlOf(place) + path, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: reply.status, body: (await reply.json()) as Answer<Data>['body'] }
}

async function signIn(place: number): Promise<{ id: number; token: string }> {
  const { body } = await call<never>(place, 'POST /api/login', { body: demoBuyer })
  const { token, user } = body as unknown as { token: string; user: { id: number } }
  return { id: user.id, token }
}

test.runIf(hasCluster)('while no node is ready, the balancer says when to try again', async () => {
  await using proxy = await startHaproxy(requireProgram('haproxy') ?? '', [await freePort()])
  const answer = async () => {
    const reply = await fetch(`${proxy.url}/api/services`)
    const { code } = (await reply.json()) as { code: string }
    return [reply.status, code, reply.headers.get('retry-after')]
  }
  await expect.poll(() => answer().catch(() => [])).toEqual([503, 'DATABASE_UNAVAILABLE', '2'])
})

const WANTED = { service_id: 'tg', country_id: 2 }
let pressed = 0

function buyAt(place: number | 'proxy', token: string): Promise<Answer<Number>> {
  pressed += 1
  return call(place, 'POST /api/v1/activations', { token, body: WANTED, key: `press-${pressed}-of-cluster` })
}

test.runIf(hasCluster)(
  'a number bought at one node gets its code at the pages and the waiting calls of others',
  async () => {
    const buyer = await signIn(0)
    using live = await listen(
      {
        url: urlOf(2),
        ctx: { config: { realtime: { appKey: 'ringpost' } } },
        fetch: (path, { token, ...init } = {}) =>
          fetch(urlOf(2) + path, { ...init, headers: { authorization: `Bearer ${token}` } }),
      },
      buyer,
    )
    const bought = await buyAt(1, buyer.token)
    expect(bought, JSON.stringify(bought.body)).toMatchObject({ status: 201 })
    const { id } = bought.body.data
    // A busy machine may give the code later than one call waits.
    const code = async () => (await call<Number>(0, `GET /api/v1/activations/${id}?wait=30`, buyer)).body.data.code
    expect((await code()) ?? (await code())).toMatch(/^\d{4,8}$/)
    expect(await live.next('NewCode')).toMatchObject({ record: { id } })
  },
)

test.runIf(hasCluster)('money, keys, sessions and limits are the same at every node', async () => {
  const { token } = await signIn(1)
  const balance = async (place: number) =>
    Number((await call<never>(place, 'GET /api/user', { token })).body['balance' as never])
  const before = await balance(0)
  const [first, second] = [await buyAt(0, token), await buyAt(2, token)]
  const price = Number(first.body.data.price)
  expect(await balance(1)).toBeCloseTo(before - price - Number(second.body.data.price), 6)
  expect((await call(1, `POST /api/v1/activations/${first.body.data.id}/cancel`, { token })).status).toBe(200)
  expect(await balance(2)).toBeCloseTo(before - Number(second.body.data.price), 6)
  const left = await balance(0)
  const topped = await call<never>(2, 'POST /api/v1/vouchers', { token, body: { code: demoVoucher } })
  expect(topped, JSON.stringify(topped.body)).toMatchObject({ status: 201 })
  // The second try of this test finds the voucher redeemed.
  const { redeemed_before: isAgain } = topped.body as unknown as { redeemed_before: boolean }
  expect((await balance(0)) > left).toBe(!isAgain)
  const rent = { service_id: 'tg', country_id: 2, period: 4 }
  const rented = await call<Number>(0, 'POST /api/v1/rentals', { token, body: rent, key: 'rent-of-cluster' })
  expect(rented, JSON.stringify(rented.body)).toMatchObject({ status: 201 })
  expect((await call(1, `POST /api/v1/rentals/${rented.body.data.id}/cancel`, { token })).status).toBe(200)

  // A key is dead at every node as soon as it is revoked at one.
  const made = await call<never>(0, 'POST /api/v1/keys', { token, body: { name: 'cluster', scopes: ['read'] } })
  const { data, secret } = made.body as unknown as { data: { id: number }; secret: string }
  const statuses = () =>
    Promise.all([0, 1, 2].map(async (place) => (await call(place, 'GET /api/user', { token: secret })).status))
  expect(await statuses()).toEqual([200, 200, 200])
  expect((await call(1, `DELETE /api/v1/keys/${data.id}`, { token })).status).toBe(200)
  await expect.poll(statuses, { timeout: 1_000 }).toEqual([401, 401, 401])

  expect((await call(2, 'POST /api/logout', { token })).status).toBe(200)
  await expect.poll(async () => (await call(0, 'GET /api/user', { token })).status).toBe(401)

  // Wrong passwords of one account: five are free over all nodes, not at each.
  const guesses: number[] = []
  for (let place = 0; place < 9; place += 1) {
    const guess = { email: 'nobody@example.test', password: `guess-number-${place}` }
    guesses.push((await call(place % 3, 'POST /api/login', { body: guess })).status)
  }
  expect(guesses.slice(0, 5)).toEqual([422, 422, 422, 422, 422])
  expect(guesses.slice(5)).toContain(429)
})

test.runIf(hasCluster)(
  'no number is sold twice, and what was acknowledged survives a killed and a frozen node',
  async () => {
    const buyer = await signIn(2)
    const sold: Number[] = []
    const buyFor = async (until: Promise<unknown>) => {
      let isOver = false
      const over = until.finally(() => {
        isOver = true
      })
      const work = async () => {
        while (!isOver) {
          const bought = await buyAt('proxy', buyer.token).catch(() => null)
          if (bought?.status === 201) {
            sold.push(bought.body.data)
            await call('proxy', `POST /api/v1/activations/${bought.body.data.id}/cancel`, buyer).catch(() => null)
          }
        }
      }
      await Promise.all([over, work(), work(), work()])
    }
    const living = async () => (await listNodes(onlooker, 20)).filter(({ ended_at: endedAt }) => endedAt === null)
    const holders = async () => (await living()).flatMap(({ leases }) => leases).sort()
    // The five works, and the links of the simulator and of the sandbox's.
    await expect.poll(async () => (await holders()).length).toBe(7)
    const all = await holders()

    await buyFor(
      (async () => {
        await expect.poll(() => sold.length).toBeGreaterThan(5)
        cluster.nodes[0]?.process.kill('SIGKILL')
        await expect.poll(async () => (await living()).length).toBe(2)
        await expect.poll(holders).toEqual(all)
        cluster.nodes[1]?.process.kill('SIGSTOP')
        await expect.poll(async () => (await living()).length).toBe(1)
        await expect.poll(holders).toEqual(all)
        cluster.nodes[1]?.process.kill('SIGCONT')
        // A node that was declared dead meanwhile ends, and changes nothing.
        expect((await cluster.nodes[1]?.process.ended)?.code).toBe(1)
        await Promise.all([cluster.start(0), cluster.start(1)])
        await expect.poll(async () => (await living()).length).toBe(3)
      })(),
    )
    expect(new Set(sold.map(({ phone }) => phone)).size).toBe(sold.length)
    // HAProxy may not have seen yet that the nodes serve.
    const statusOf = async (id: number) => (await call('proxy', `GET /api/v1/activations/${id}`, buyer)).status
    for (const { id } of sold) await expect.poll(() => statusOf(id)).toBe(200)
    await expectLedgerRight(onlooker)
  },
)

test.runIf(hasCluster)('nodes that are restarted one after the other refuse no request', async () => {
  const buyer = await signIn(0)
  const refused: unknown[] = []
  let served = 0
  let isOver = false
  const ask = async () => {
    while (!isOver) {
      const reply = await call('proxy', 'GET /api/user', buyer).catch((error: unknown) => ({ status: 0, body: error }))
      if (reply.status === 200) served += 1
      else refused.push(reply)
    }
  }
  const asking = [ask(), ask(), ask()]
  for (const place of [0, 1, 2]) {
    const node = cluster.nodes[place]
    node?.process.kill('SIGTERM')
    expect(await node?.process.ended).toMatchObject({ code: 0 })
    await cluster.start(place)
  }
  isOver = true
  await Promise.all(asking)
  expect(served).toBeGreaterThan(100)
  expect(refused).toEqual([])
})
