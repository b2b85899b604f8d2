import { expect, test, vi } from 'vitest'
import { SECOND } from '#contract/time.ts'
import { setBlocked } from '#server/core/accounts/users/queries.ts'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { endWaiting } from './wait-for-code.ts'

const GET = 'GET /api/v1/activations/{id}'

const waitingCalls = async (t: TestApp) => (await t.ctx.metrics.waitingCalls.get()).values[0]?.value ?? 0
const untilWaiting = (t: TestApp, count: number) => expect.poll(() => waitingCalls(t)).toBe(count)

test('a call that waits is answered when the code comes, when the number ends, and at once where nothing is waited for', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const [first, second] = [await buyOne(t, buyer), await buyOne(t, buyer)]
  const key = { token: await t.makeApiKey(buyer) }

  const code = [call(t, GET, { id: first.id, wait: 30 }, buyer), call(t, GET, { id: first.id, wait: 30 }, key)]
  const end = call(t, GET, { id: second.id, wait: 30 }, buyer)
  await untilWaiting(t, 3)
  await pushSms(t, supplier, { phone: first.phone })
  const received = { data: { id: first.id, state: 'received', code: '48213' } }
  expect(await Promise.all(code)).toMatchObject([received, received])
  await untilWaiting(t, 1)
  expect(await call(t, GET, { id: first.id, wait: 30 }, buyer)).toMatchObject(received)

  await call(t, 'POST /api/v1/activations/{id}/again', { id: first.id }, buyer)
  const another = call(t, GET, { id: first.id, wait: 30 }, buyer)
  await untilWaiting(t, 2)
  await pushSms(t, supplier, { phone: first.phone, text: 'Telegram code: 90210' })
  expect(await another).toMatchObject({ data: { code: '90210' } })

  await call(t, 'POST /api/v1/activations/{id}/used', { id: second.id }, buyer)
  expect(await end).toMatchObject({ data: { id: second.id, state: 'used' } })
  await untilWaiting(t, 0)
})

test('what is waited for in vain, or by nobody any more, or by a process that ends, leaves nothing behind', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const [buyer, stranger] = [await t.makeUser({ balance: '100.00' }), await t.makeUser()]
  const { id } = await buyOne(t, buyer)
  expect((await refused(t, GET, { id, wait: 30 }, stranger)).status).toBe(404)
  for (const wait of ['31', '-1', 'long', '1.5']) expect((await refused(t, GET, { id, wait }, buyer)).status).toBe(422)

  const hangUp = new AbortController()
  const left = t.fetch(`/api/v1/activations/${id}?wait=30`, { token: buyer.token, signal: hangUp.signal })
  await untilWaiting(t, 1)
  hangUp.abort()
  await expect(left).rejects.toThrow()
  await untilWaiting(t, 0)

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const inVain = call(t, GET, { id, wait: 5 }, buyer)
    while ((await waitingCalls(t)) === 0) await new Promise(setImmediate)
    vi.advanceTimersByTime(5 * SECOND)
    expect(await inVain).toMatchObject({ data: { id, state: 'waiting' } })
  } finally {
    vi.useRealTimers()
  }

  const cut = call(t, GET, { id, wait: 30 }, buyer)
  await untilWaiting(t, 1)
  endWaiting(t.ctx)
  expect(await cut).toMatchObject({ data: { state: 'waiting' } })
  expect(await call(t, GET, { id, wait: 30 }, buyer)).toMatchObject({ data: { state: 'waiting' } })
})

test('a key that was revoked, or a person who was blocked, within the wait reads no code', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const [buyer, other] = [await t.makeUser({ balance: '100.00' }), await t.makeUser({ balance: '100.00' })]
  const key = await call(t, 'POST /api/v1/keys', { name: 'Program', scopes: ['read'] }, buyer)
  const [first, second] = [await buyOne(t, buyer), await buyOne(t, other)]
  const waits = [
    refused(t, GET, { id: first.id, wait: 30 }, { token: key.secret }),
    refused(t, GET, { id: second.id, wait: 30 }, other),
  ]
  await untilWaiting(t, 2)
  await call(t, 'DELETE /api/v1/keys/{id}', { id: key.data.id }, buyer)
  await setBlocked(t.ctx.db, { userId: other.id, blockedAt: t.clock.now() })
  for (const { phone } of [first, second]) await pushSms(t, supplier, { phone })
  const codes = (await Promise.all(waits)).map(({ body }) => body.code)
  expect(codes).toEqual(['UNAUTHENTICATED', 'BLOCKED'])
})

test('a person has a hundred calls waiting at most, and nobody else is refused for it', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const [busy, calm] = [await t.makeUser({ balance: '100.00' }), await t.makeUser({ balance: '100.00' })]
  const [{ id }, { id: other }] = [await buyOne(t, busy), await buyOne(t, calm)]
  const many = Array.from({ length: 100 }, () => call(t, GET, { id, wait: 30 }, busy))
  await untilWaiting(t, 100)
  expect(await refused(t, GET, { id, wait: 30 }, busy)).toMatchObject({ status: 429, retryAfter: '2' })
  expect(await call(t, GET, { id }, busy)).toMatchObject({ data: { state: 'waiting' } })
  const calmly = call(t, GET, { id: other, wait: 30 }, calm)
  await untilWaiting(t, 101)
  await call(t, 'POST /api/v1/activations/{id}/used', { id }, busy)
  for (const answer of await Promise.all(many)) expect(answer).toMatchObject({ data: { state: 'used' } })
  await call(t, 'POST /api/v1/activations/{id}/used', { id: other }, calm)
  await calmly
})
