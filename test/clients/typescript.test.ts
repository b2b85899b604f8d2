import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { count, expectBooksRight, pushSms } from '#test/builders/activation-rows.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

type Client = typeof import('../../clients/typescript/src/ringpost.ts')

let client: Client
let built: string

beforeAll(async () => {
  built = await mkdtemp(join(tmpdir(), 'ringpost-client-'))
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'clients/typescript', '--outDir', built]
  await promisify(execFile)(process.execPath, tsc)
  client = (await import(pathToFileURL(join(built, 'ringpost.js')).href)) as Client
})
afterAll(() => rm(built, { recursive: true, force: true }))

const TELEGRAM = { service_id: 'tg', country_id: 2 }

async function open(t: TestApp, options: { fetch?: typeof fetch; attempts?: number } = {}) {
  const buyer = await t.makeUser({ balance: '100.00' })
  const ringpost = client.createRingpost({ site: `${t.url}/`, key: await t.makeApiKey(buyer), ...options })
  return { buyer, ringpost }
}

test('a program buys a number, waits for its code and ends it', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const { ringpost } = await open(t)
  const { data: price } = await ringpost.price.get(TELEGRAM)
  expect(price.operators[0]).toMatchObject({ price: '13.00' })
  const { data: number } = await ringpost.activations.create({ ...TELEGRAM, max_price: '20' })
  const waiting = client.waitForCode(ringpost, { id: number.id, timeoutMs: 60_000 })
  await expect.poll(async () => (await t.ctx.metrics.waitingCalls.get()).values[0]?.value).toBe(1)
  await pushSms(t, supplier, { phone: number.phone ?? '' })
  expect(await waiting).toMatchObject({ id: number.id, state: 'received', code: '48213' })
  expect((await ringpost.activations.finish({ id: number.id })).data.state).toBe('finished')
  const { history } = await ringpost.history.get({ per_page: 10 })
  expect(history.data).toMatchObject([{ id: number.id, outcome: 'received' }])
  expect(await ringpost.user.get()).toMatchObject({ balance: '87.00' })
})

test('an answer that got lost is asked for again, and nothing is bought twice', async () => {
  await using t = await startTestApp()
  await t.addFake()
  let lost = 0
  const { buyer, ringpost } = await open(t, {
    fetch: async (...asked) => {
      const answer = await fetch(...asked)
      if (lost < 2) {
        lost += 1
        throw new TypeError('fetch failed')
      }
      return answer
    },
  })
  const { data } = await ringpost.activations.createBulk({ items: [TELEGRAM, { ...TELEGRAM, max_price: '1' }] })
  expect(data).toMatchObject({ bought: 1, items: [{ status: true }, { status: false, code: 'MAX_PRICE_TOO_LOW' }] })
  expect(await count(t.ctx, 'activations WHERE user_id = $1', [buyer.id])).toBe(1)
  await expectBooksRight(t.ctx)
})

test('a refusal has its code and data; what comes too soon is sent again when the server says so', async () => {
  await using t = await startTestApp({ config: { apiRequestsPerSecond: 1 } })
  await t.addFake()
  const refusals: number[] = []
  const { ringpost } = await open(t, {
    fetch: async (...asked) => {
      const answer = await fetch(...asked)
      if (answer.status !== 429) return answer
      refusals.push(Number(answer.headers.get('retry-after')))
      t.clock.advance(1_000)
      return answer
    },
  })
  const dear = ringpost.activations.create({ ...TELEGRAM, max_price: '12' })
  await expect(dear).rejects.toMatchObject({
    name: 'RingpostError',
    status: 422,
    code: 'MAX_PRICE_TOO_LOW',
    data: { lowest: '13.00' },
  })
  await ringpost.user.get()
  expect(await ringpost.user.get()).toMatchObject({ balance: '100.00' })
  expect(refusals).toEqual([1])
  const stranger = client.createRingpost({ site: t.url, key: 'x'.repeat(32) })
  await expect(stranger.user.get()).rejects.toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
})

test('a server that never answers well is given up after as many attempts as were asked for', async () => {
  await using t = await startTestApp()
  let asked = 0
  const { ringpost } = await open(t, {
    attempts: 2,
    fetch: async () => {
      asked += 1
      return new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'retry-after': '0' } })
    },
  })
  await expect(ringpost.user.get()).rejects.toMatchObject({ status: 502, code: 'NO_REPLY' })
  expect(asked).toBe(2)
})
