import { expect, test } from 'vitest'
import { DAY, MINUTE } from '#contract/time.ts'
import type { PaymentFacts } from '#server/core/gateways/gateway.ts'
import { begin, expectRightBooks, look, payer } from '#test/builders/payments.ts'
import { addFakeGateway, arrived, type FakeGateway, NOTHING_YET } from '#test/fakes/fake-gateway.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

const CANCEL = 'POST /api/v1/payments/{transaction_id}/cancel'

async function close(t: TestApp, user: TestUser, transaction_id: string): Promise<[string, boolean]> {
  const { data } = await call(t, CANCEL, { transaction_id }, { token: user.token })
  return [data.state, data.closed]
}

async function stateOf(t: TestApp, user: TestUser, transaction_id: string): Promise<[string, boolean]> {
  const { state, closed } = await look(t, user, transaction_id)
  return [state, closed]
}

test('what its payer closed stays closed; what runs out at that very moment does not become so', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const [late, given] = [await begin(t, user), await begin(t, user)]
  t.clock.advance(MINUTE)
  await close(t, user, given.transaction_id)
  t.clock.advance(Date.parse(late.expired_at) - t.clock.now().getTime())
  const told = async (event: string) => {
    for (const { transaction_id } of [late, given]) {
      await gateway.send(t, { event: `${event} ${transaction_id}`, transaction: transaction_id })
    }
    await t.ctx.background.idle()
    return [await stateOf(t, user, late.transaction_id), await stateOf(t, user, given.transaction_id)]
  }
  expect(await told('at the end')).toEqual([
    ['expired', false],
    ['expired', true],
  ])
  t.clock.advance(1)
  expect(await told('after it')).toEqual([
    ['expired', false],
    ['expired', true],
  ])
})

test('money that is seen opens what was closed, until nothing comes of it; what arrives is credited for good', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const { transaction_id } = await begin(t, user)
  t.clock.advance(MINUTE)
  expect(await close(t, user, transaction_id)).toEqual(['expired', true])
  const become = async (event: string, facts: PaymentFacts) => {
    gateway.facts.set(transaction_id, facts)
    t.clock.advance(MINUTE)
    await gateway.send(t, { event, transaction: transaction_id })
    await t.ctx.background.idle()
    return stateOf(t, user, transaction_id)
  }
  expect(await become('seen', { ...NOTHING_YET, progress: 'confirming' })).toEqual(['confirming', false])
  expect(await become('gone', NOTHING_YET)).toEqual(['expired', true])
  expect(await become('a part', arrived(['d1', 20_000]))).toEqual(['partial', false])
  expect(await become('all', arrived(['d1', 20_000], ['d2', 30_000]))).toEqual(['paid', false])
  await expectRightBooks(t)
})

test('what is closed while its gateway is asked stays closed when that answers', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const { called, answer } = holdBegin(gateway)
  const pressed = begin(t, user)
  const transactionId = await called
  expect(await close(t, user, transactionId)).toEqual(['expired', true])
  t.clock.advance(1)
  answer()
  expect(await pressed).toMatchObject({ state: 'expired', closed: true })
  expect(await stateOf(t, user, transactionId)).toEqual(['expired', true])
})

function holdBegin(gateway: FakeGateway): { called: Promise<string>; answer: () => void } {
  const [called, held] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()]
  const { onBegin } = gateway
  gateway.onBegin = async (order, signal) => {
    called.resolve(order.transactionId)
    await held.promise
    return onBegin(order, signal)
  }
  return { called: called.promise, answer: held.resolve }
}

test('only before its time is a payment closed, by its button or by another one that takes its place', async () => {
  await using t = await startTestApp()
  const { system } = await addFakeGateway(t)
  const user = await payer(t)
  const first = await begin(t, user)
  t.clock.advance(Date.parse(first.expired_at) - t.clock.now().getTime())
  expect(await close(t, user, first.transaction_id)).toEqual(['expired', false])
  system.hasOneOpen = true
  const second = await begin(t, user)
  t.clock.advance(MINUTE)
  const third = await begin(t, user, '600.00')
  expect(await stateOf(t, user, second.transaction_id)).toEqual(['expired', true])
  t.clock.advance(DAY)
  const fourth = await begin(t, user, '600.00')
  expect(fourth.transaction_id).not.toBe(third.transaction_id)
  expect(await stateOf(t, user, third.transaction_id)).toEqual(['expired', false])
})
