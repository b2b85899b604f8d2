import { expect, test } from 'vitest'
import { DAY, HOUR, SECOND } from '#contract/time.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import { become, openHeleketShop, tell } from '#test/builders/money/heleket.ts'
import { setBitcoin } from '#test/builders/money/rates.ts'
import { balanceOf, begin, expectRightBooks } from '#test/builders/payments.ts'
import { type HeleketHouse, type HouseInvoice, openHeleketHouse } from '#test/fakes/heleket-house.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { toKnown } from './check-payment.ts'
import { findIdByTransaction } from './queries/arrivals.ts'
import { findPayment } from './queries/payments.ts'

/** At the first rate, $20 are 0.00032 of a bitcoin; at half that rate, the same coins are worth $10. */
const DUE = { asset: 'BTC', amount: '0.00032' }

async function openShop(t: TestApp, house: HeleketHouse, settings: Record<string, unknown> = {}) {
  house.due = DUE
  const user = await openHeleketShop(t, house, settings)
  return {
    user,
    async open() {
      const { transaction_id: order } = await begin(t, user, '20.00', 'coins')
      return async (status: string, coins: string | null, txid: string | null = null) => {
        const seen = await become(t, { house, order, user }, [status, { payment_amount: coins, txid }])
        await expectRightBooks(t)
        return seen
      }
    },
  }
}

async function halve(t: TestApp, afterMs: number): Promise<void> {
  t.clock.advance(afterMs)
  await setBitcoin(t, 31_250n)
}

test('what was seen in time and has gone promises nothing: other coins have the rate of their own day', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  const { open } = await openShop(t, house)
  const [cancelled, bare, replaced, unnamed] = [await open(), await open(), await open(), await open()]
  expect(await cancelled('confirm_check', '0.00032', 'a')).toEqual(['confirming', '0.00'])
  expect(await cancelled('cancel', '0.00000')).toEqual(['expired', '0.00'])
  expect(await bare('confirm_check', null, 'dust')).toEqual(['confirming', '0.00'])
  expect(await replaced('confirm_check', '0.00032', 'b')).toEqual(['confirming', '0.00'])
  expect(await unnamed('confirm_check', '0.00032')).toEqual(['confirming', '0.00'])
  expect(await unnamed('check', null)).toEqual(['pending', '0.00'])
  await halve(t, 2 * HOUR)
  expect(await replaced('paid', '0.00032', 'c')).toEqual(['partial', '10.00'])
  expect(await unnamed('paid', '0.00032')).toEqual(['partial', '10.00'])
  await halve(t, 60 * DAY)
  expect(await cancelled('cancel', '0.00032', 'other')).toEqual(['partial', '10.00'])
  expect(await bare('paid', '0.00032', 'other too')).toEqual(['partial', '10.00'])
})

test('who was seen in time keeps the rate for a day, and longer once it is certain', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  const { open } = await openShop(t, house, { accuracy_percent: 5 })
  const [soon, late, locked, bare] = [await open(), await open(), await open(), await open()]
  expect(await soon('confirm_check', '0.00031', 'a')).toEqual(['confirming', '0.00'])
  expect(await late('confirm_check', '0.00032', 'b')).toEqual(['confirming', '0.00'])
  expect(await locked('confirm_check', null, 'c')).toEqual(['confirming', '0.00'])
  expect(await bare('confirm_check', null, 'd')).toEqual(['confirming', '0.00'])
  await halve(t, DAY)
  expect(await soon('paid', '0.00031', 'a')).toEqual(['paid', '20.00'])
  expect(await locked('locked', '0.00032', 'c')).toEqual(['confirming', '0.00'])
  await halve(t, HOUR)
  expect(await late('paid', '0.00032', 'b')).toEqual(['partial', '10.00'])
  expect(await bare('paid', '0.00032', 'd')).toEqual(['partial', '10.00'])
  await halve(t, 3 * DAY)
  expect(await locked('paid', '0.00032', 'c')).toEqual(['paid', '20.00'])
  expect(await soon('paid', '0.00031', 'a')).toEqual(['paid', '20.00'])
  expect(await soon('refund_paid', '0.00031', 'a')).toEqual(['refunded', '20.00'])
})

test('without a transaction the sum that was told in time has the rate, for a day; what has gone of it has it no more', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  const { user, open } = await openShop(t, house)
  const [half, stale, less] = [await open(), await open(), await open()]
  expect(await half('confirm_check', '0.00016')).toEqual(['confirming', '0.00'])
  expect(await stale('confirm_check', '0.00016')).toEqual(['confirming', '0.00'])
  expect(await less('confirm_check', '0.00032')).toEqual(['confirming', '0.00'])
  await halve(t, 2 * HOUR)
  expect(await half('paid', '0.00032')).toEqual(['partial', '15.00'])
  expect(await less('confirm_check', '0.00008')).toEqual(['confirming', '0.00'])
  expect(await less('paid', '0.00032')).toEqual(['partial', '12.50'])
  await halve(t, DAY)
  expect(await stale('paid', '0.00032')).toEqual(['partial', '10.00'])
  expect(await balanceOf(t, user)).toBe('37.50')
})

test('a part that is certain keeps its rate when another transaction brings the rest; one under way beside it has it as well', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  const { open } = await openShop(t, house)
  const [honest, replaced] = [await open(), await open()]
  for (const say of [honest, replaced]) {
    expect(await say('wrong_amount_waiting', '0.00016', 'a')).toEqual(['confirming', '0.00'])
    expect(await say('confirm_check', null, 'b')).toEqual(['confirming', '0.00'])
    expect(await say('confirm_check', '0.00032', 'b')).toEqual(['confirming', '0.00'])
  }
  await halve(t, 2 * HOUR)
  expect(await honest('paid', '0.00032', 'b')).toEqual(['paid', '20.00'])
  expect(await replaced('paid', '0.00032', 'c')).toEqual(['partial', '15.00'])
})

test('a webhook that nobody could ask about counts until Heleket answers: what it says is gone was never there', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  house.due = DUE
  const user = await openHeleketShop(t, house)
  const orders: string[] = []
  for (let n = 0; n < 5; n += 1) orders.push((await begin(t, user, '20.00', 'coins')).transaction_id)
  house.misbehave = (_request, reply) => {
    reply.writeHead(503, { 'content-type': 'text/html' }).end('<html>busy</html>')
    return true
  }
  const heard = { payment_amount: '0.00032', txid: 'a' }
  for (const order of orders) {
    house.set(order, 'confirm_check', heard)
    expect(await tell(t, house.event(order))).toBe(200)
  }
  house.misbehave = null
  const [, , overtaken = ''] = orders
  expect(await tell(t, house.event(overtaken, { payment_amount: '0.00016', status: 'wrong_amount_waiting' }))).toBe(200)
  const [gone = '', other = '', same = '', stale = '', none = ''] = orders
  const say = async (order: string, status: string, more: Partial<HouseInvoice>) => {
    const seen = await become(t, { house, order, user }, [status, more])
    await expectRightBooks(t)
    return seen
  }
  t.clock.advance(1)
  expect(await say(none, 'check', { payment_amount: null, txid: null })).toEqual(['pending', '0.00'])
  await halve(t, 2 * HOUR)
  expect(await say(gone, 'cancel', { payment_amount: null, txid: null })).toEqual(['expired', '0.00'])
  expect(await say(gone, 'cancel', heard)).toEqual(['partial', '10.00'])
  expect(await say(none, 'paid', heard)).toEqual(['partial', '10.00'])
  expect(await say(other, 'paid', { ...heard, txid: 'b' })).toEqual(['partial', '10.00'])
  expect(await say(same, 'paid', heard)).toEqual(['paid', '20.00'])
  await halve(t, DAY)
  expect(await say(stale, 'paid', heard)).toEqual(['partial', '10.00'])
})

test('an answer that a later one has overtaken takes nothing from what that one saw', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  const { user, open } = await openShop(t, house)
  const say = await open()
  const [order = ''] = house.invoices.keys()
  const row = await findPayment(t.ctx.db, (await findIdByTransaction(t.ctx.db, order)) ?? 0n)
  const gateway = gatewaysOf(t.ctx).byCode('coins')?.gateway
  if (row === null || gateway === undefined) throw new Error('there is no payment')
  const held = Promise.withResolvers<() => void>()
  const before = JSON.stringify({ state: 0, result: house.one(order) })
  house.misbehave = (_request, reply) => {
    held.resolve(() => reply.writeHead(200, { 'content-type': 'application/json' }).end(before))
    return true
  }
  const early = gateway.fetch(toKnown(row), new AbortController().signal)
  const answer = await held.promise
  house.misbehave = null
  t.clock.advance(SECOND)
  expect(await say('confirm_check', '0.00032', 'a')).toEqual(['confirming', '0.00'])
  answer()
  expect(await early).toMatchObject({ progress: 'pending', deposits: [] })
  await halve(t, 2 * HOUR)
  expect(await say('paid', '0.00032', 'a')).toEqual(['paid', '20.00'])
  expect(await balanceOf(t, user)).toBe('20.00')
})
