import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { sweepExpired } from '#server/core/numbers/activations/sweep.ts'
import { handOverLeft } from '#server/core/numbers/delivery/hand-over.ts'
import { sweepReserving } from '#server/core/numbers/purchase/activation-orphans.ts'
import { continueTime, tellOfSetBack } from '#server/programs/boot/continue-time.ts'
import { count, expectBooksRight, moneyOf, pushSms } from '#test/builders/activation-rows.ts'
import { fakeRentOffers } from '#test/fakes/fake-rent.ts'
import { type FakeSupplier, fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, refused } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { createMachineClock } from '#test/harness/test-clock.ts'
import { dieAt } from './die-at.ts'

const PHONE = '77051230001'
const UNNAMED = { phone: PHONE, sender: '900', text: 'Code 11111' }
const TELEGRAM = { phone: PHONE, sender: 'Telegram', text: 'Telegram code: 54321' }

/** Starts a service on a clock that can be set back, with one supplier that sells one number for several services. */
async function startShared(clock = createMachineClock()) {
  const t = await startTestApp({ clock })
  const offers = ['tg', 'wa', 'go'].map((serviceCode) => ({ ...fakeOffer, serviceCode }))
  const supplier: FakeSupplier = await t.addFake('shared', offers, fakeRentOffers)
  supplier.onBuy = async (order) => ({ ...supplier.sell(order), phone: PHONE })
  return { t, clock, supplier, [Symbol.asyncDispose]: () => t[Symbol.asyncDispose]() }
}

const buy = async (t: TestApp, { token }: TestUser, service_id: string): Promise<number> =>
  (await call(t, 'POST /api/v1/activations', { service_id, country_id: 2 }, { token })).data.id
const codeOf = async (t: TestApp, { token }: TestUser, id: number) =>
  (await call(t, 'GET /api/v1/activations/{id}', { id }, { token })).data.code

test.each([
  ['an hour', HOUR],
  ['two days', 2 * DAY],
])('a message of before is not handed to who buys its number after a set-back of %s', async (_, setBackMs) => {
  await using house = await startShared()
  const { t, clock, supplier } = house
  await pushSms(t, supplier, UNNAMED)
  clock.advance(5 * MINUTE)
  clock.setBack(setBackMs)
  const boris = await t.makeUser({ balance: '20.00' })
  const id = await buy(t, boris, 'go')
  expect(await codeOf(t, boris, id)).toBe(null)
  clock.advance(MINUTE)
  await handOverLeft(t.ctx, { since: new Date(clock.now().getTime() - 2 * MINUTE) })
  expect(await codeOf(t, boris, id)).toBe(null)
  expect(await moneyOf(t, boris)).toEqual({ balance: '7.00', held: '13.00' })
})

test.each(['live', 'just ended'])('an order of before that is %s counts in whom a message goes to', async (was) => {
  await using house = await startShared()
  const { t, clock, supplier } = house
  const [anna, boris] = [await t.makeUser({ balance: '20.00' }), await t.makeUser({ balance: '20.00' })]
  const first = await buy(t, anna, 'tg')
  clock.advance(3 * MINUTE)
  if (was !== 'live') await call(t, 'POST /api/v1/activations/{id}/cancel', { id: first }, { token: anna.token })
  clock.setBack(HOUR)
  const second = await buy(t, boris, 'go')
  clock.advance(MINUTE)
  if (was === 'live') {
    await pushSms(t, supplier, TELEGRAM)
    expect(await codeOf(t, anna, first)).toBe('54321')
  }
  await pushSms(t, supplier, UNNAMED)
  expect(await codeOf(t, boris, second)).toBe(null)
})

test('the early message of an order that is settled after the step back reaches its buyer', async () => {
  await using house = await startShared()
  const { t, clock, supplier } = house
  const anna = await t.makeUser({ balance: '20.00' })
  {
    using _settle = dieAt(t, 'activation-settle', 'before')
    using _fail = dieAt(t, 'activation-fail', 'before')
    await refused(t, 'POST /api/v1/activations', { service_id: 'tg', country_id: 2 }, { token: anna.token })
  }
  supplier.onFind = async (reference) => ({ ...(supplier.sold.get(reference) ?? expect.fail()), phone: PHONE })
  clock.setBack(HOUR)
  await pushSms(t, supplier, TELEGRAM)
  clock.advance(10 * SECOND)
  expect(await sweepReserving(t.ctx)).toBe(1)
  expect(await count(t.ctx, `activations WHERE state = 'received'`)).toBe(1)
})

test('the same words after "again" are another message, and nothing stays held for the old time', async () => {
  await using house = await startShared()
  const { t, clock, supplier } = house
  const anna = await t.makeUser({ balance: '40.00' })
  const id = await buy(t, anna, 'tg')
  await pushSms(t, supplier, TELEGRAM)
  clock.advance(2 * MINUTE)
  clock.setBack(HOUR)
  await call(t, 'POST /api/v1/activations/{id}/again', { id }, { token: anna.token })
  await pushSms(t, supplier, TELEGRAM)
  expect(await count(t.ctx, 'messages')).toBe(2)
  await buy(t, anna, 'wa')
  clock.setBack(HOUR)
  clock.advance(25 * MINUTE)
  await sweepExpired(t.ctx)
  const later = { ...anna, ...(await beginTestSession(t.ctx, anna.id)) }
  expect(await moneyOf(t, later)).toEqual({ balance: '27.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})

test.each([
  { behindMs: -MINUTE, cachedMs: MINUTE, said: [] },
  { behindMs: HOUR, cachedMs: 0, said: [expect.stringMatching(/^the clock was set back: time goes on/)] },
  { behindMs: 2 * DAY, cachedMs: -2 * DAY, said: [expect.stringMatching(/by more than a day/)] },
])('a start $behindMs ms behind what is stored', async ({ behindMs, cachedMs, said }) => {
  await using house = await startShared()
  const { t, clock } = house
  await buy(t, await t.makeUser({ balance: '20.00' }), 'tg')
  const stored = clock.now().getTime()
  const log = recordingLog()
  const next = createMachineClock(new Date(stored - behindMs).toISOString(), tellOfSetBack(log))
  await continueTime(next, t.ctx.db)
  expect(next.now().getTime() - stored).toBe(cachedMs)
  expect(log.lines.map(({ sentence }) => sentence)).toEqual(said)
})
