import { expect, test, vi } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { createFiveSimSupplier } from '#server/adapters/five-sim/buy/five-sim-supplier.ts'
import { buyOne, expectBooksRight, moneyOf, pushSms, statesOf } from '#test/builders/activation-rows.ts'
import { listenOnLoopback } from '#test/fakes/loopback-server.ts'
import { call, refused, send } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

async function connect(platform: TestApp, bank: TestApp, url = bank.url) {
  const fake = await bank.addFake('modems')
  const agent = await bank.makeUser({ balance: '1000' })
  const key = await bank.makeApiKey(agent)
  const settings = { url: `${url}/v1`, key, currency: 'rub', privateHost: true, callsPerSecond: 100, pollSeconds: 0.02 }
  const supplier = await platform.addReal(createFiveSimSupplier, { code: 'five', kind: 'five-sim', settings })
  return { fake, agent, supplier, [Symbol.asyncDispose]: () => supplier.stop() }
}

const cancel = (t: TestApp, id: number, buyer: TestUser) =>
  call(t, 'POST /api/v1/activations/{id}/cancel', { id }, { token: buyer.token })
const waitFor = async (t: TestApp, state: string) =>
  vi.waitUntil(async () => (await statesOf(t)).at(-1) === state, { timeout: 10_000 })

test('17.3: our five-sim supplier buys here as at 5sim: codes and the end pass through, both books are right', async () => {
  await using platform = await startTestApp()
  await using bank = await startTestApp()
  await using hop = await connect(platform, bank)
  expect((await hop.supplier.test?.())?.map(({ works }) => works)).toEqual([true, true, true])
  const buyer = await platform.makeUser()
  const { id, phone } = await buyOne(platform, buyer)
  expect(hop.fake.sold.get('100000001-1')?.phone).toBe(phone)
  await pushSms(bank, hop.fake, { phone })
  await waitFor(platform, 'received captured 48213')
  await pushSms(bank, hop.fake, { phone, text: 'Telegram code: 99999' })
  await waitFor(platform, 'received captured 99999')
  await call(platform, 'POST /api/v1/activations/{id}/finish', { id }, { token: buyer.token })
  await platform.runJobs()
  expect([await statesOf(platform), await statesOf(bank)]).toEqual([
    ['finished captured 99999'],
    ['finished captured 99999'],
  ])
  expect(await moneyOf(bank, hop.agent)).toEqual({ balance: '987.00', held: '0.00' })
  await expectBooksRight(platform.ctx)
  await expectBooksRight(bank.ctx)
})

test('17.3: one hop: a cancelled number waits for the other’s first minutes, a used one is banned, both are refunded', async () => {
  await using platform = await startTestApp()
  await using bank = await startTestApp()
  await using hop = await connect(platform, bank)
  const buyer = await platform.makeUser()
  const { id } = await buyOne(platform, buyer)
  platform.clock.advance(2 * MINUTE)
  await cancel(platform, id, buyer)
  await platform.runJobs()
  expect([await statesOf(platform), await statesOf(bank)]).toEqual([['cancelled released -'], ['waiting held -']])
  bank.clock.advance(2 * MINUTE)
  await platform.hurryJobs()
  expect(await statesOf(bank)).toEqual(['cancelled released -'])
  const { id: other, phone } = await buyOne(platform, buyer)
  const held = { reference: `${other}-1`, supplierReference: String(id + 1), phone, serviceCode: 'tg' }
  await hop.supplier.end(held, 'used', AbortSignal.timeout(10_000))
  expect((await statesOf(bank)).at(-1)).toBe('used released -')
  platform.clock.advance(2 * MINUTE)
  await send(platform, 'POST /api/v1/activations/{id}/cancel', { id: other }, { token: buyer.token })
  expect(await moneyOf(bank, hop.agent)).toEqual({ balance: '1000.00', held: '0.00' })
  expect(await moneyOf(platform, buyer)).toEqual({ balance: '100.00', held: '0.00' })
  await expectBooksRight(platform.ctx)
  await expectBooksRight(bank.ctx)
})

test('17.3: one hop: the answer to a purchase gets lost: its buyer pays nothing, and the number is found and given back', async () => {
  await using platform = await startTestApp()
  await using bank = await startTestApp()
  let isLost = (_path: string) => false
  await using wire = await listenOnLoopback((request, response) => {
    const path = request.url ?? ''
    const { authorization } = request.headers
    const passing = bank.fetch(path, { headers: { ...(authorization !== undefined && { authorization }) } })
    passing
      .then(async (reply) => {
        const body = await reply.text()
        if (isLost(path)) response.destroy()
        else response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' }).end(body)
      })
      .catch((error: Error) => response.destroy(error))
  })
  await using hop = await connect(platform, bank, wire.url)
  isLost = (path) => path.includes('/user/buy/')
  const buyer = await platform.makeUser()
  await refused(platform, 'POST /api/v1/activations', { service_id: 'tg', country_id: 2 }, { token: buyer.token })
  expect([await statesOf(platform), await statesOf(bank)]).toEqual([['failed released -'], ['waiting held -']])
  bank.clock.advance(2 * MINUTE)
  await platform.runJobs()
  expect(await statesOf(bank)).toEqual(['cancelled released -'])
  expect(hop.fake.sold.size).toBe(1)
  expect(await moneyOf(platform, buyer)).toEqual({ balance: '100.00', held: '0.00' })
  await expectBooksRight(platform.ctx)
  await expectBooksRight(bank.ctx)
})
