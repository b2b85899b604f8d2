import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { watchService } from '#server/core/alarms/watch-service.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import { sentMails } from '#test/builders/mails.ts'
import { become, openHeleketShop, tell } from '#test/builders/money/heleket.ts'
import { setBitcoin } from '#test/builders/money/rates.ts'
import { balanceOf, begin, expectRightBooks, look } from '#test/builders/payments.ts'
import { openHeleketHouse } from '#test/fakes/heleket-house.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { toKnown } from './check-payment.ts'
import { findIdByTransaction } from './queries/arrivals.ts'
import { findPayment } from './queries/payments.ts'
import { reconcilePayments } from './reconcile.ts'

const DUE = { asset: 'BTC', amount: '0.00032' }

test('the invoice’s rate holds for what was seen by its end, up to what was due; the rest and the late has ours, for good', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  house.due = DUE
  const user = await openHeleketShop(t, house, { accuracy_percent: 5 })
  const open = async () => ({ house, user, order: (await begin(t, user, '20.00', 'coins')).transaction_id })
  const [over, late, parts, seen] = [await open(), await open(), await open(), await open()]
  await setBitcoin(t, 50_000n)
  const double = { payment_amount: '0.00064', txid: 'a' }
  expect(await become(t, over, ['paid_over', double])).toEqual(['paid', '36.00'])
  const half = { payment_amount: '0.00016', txid: 'b' }
  expect(await become(t, parts, ['wrong_amount_waiting', half])).toEqual(['confirming', '0.00'])
  expect(await become(t, seen, ['confirm_check', { txid: 'c' }])).toEqual(['confirming', '0.00'])
  t.clock.advance(2 * HOUR)
  await setBitcoin(t, 50_000n)
  expect(await become(t, seen, ['paid', { payment_amount: '0.00031', txid: 'c' }])).toEqual(['paid', '20.00'])
  const whole = { payment_amount: '0.00032', txid: 'd' }
  expect(await become(t, parts, ['paid', whole])).toEqual(['partial', '18.00'])
  expect(await become(t, late, ['paid', whole])).toEqual(['partial', '16.00'])

  t.clock.advance(DAY)
  await setBitcoin(t, 100_000n)
  expect(await become(t, over, ['paid_over', double])).toEqual(['paid', '36.00'])
  expect(await become(t, parts, ['paid', whole])).toEqual(['partial', '18.00'])
  expect(await become(t, late, ['paid', whole])).toEqual(['partial', '16.00'])
  expect(await become(t, late, ['paid_over', { payment_amount: '0.00036', txid: 'e' }])).toEqual(['paid', '20.00'])
  expect(await become(t, over, ['refund_paid', double])).toEqual(['refunded', '36.00'])
  expect(await balanceOf(t, user)).toBe('58.00')
  expect(house.faults).toEqual([])
  await expectRightBooks(t)
})

test('what was heard of in time has the invoice’s rate, also where Heleket answers long after; a small part of it is no more', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  house.due = DUE
  const user = await openHeleketShop(t, house)
  const open = async () => ({ house, user, order: (await begin(t, user, '20.00', 'coins')).transaction_id })
  const [whole, part] = [await open(), await open()]
  house.misbehave = (_request, reply) => {
    reply.writeHead(503, { 'content-type': 'text/html' }).end('<html>busy</html>')
    return true
  }
  house.set(whole.order, 'paid', { payment_amount: '0.00032', txid: 'a' })
  house.set(part.order, 'wrong_amount_waiting', { payment_amount: '0.00004', txid: 'b' })
  for (const { order } of [whole, part]) expect(await tell(t, house.event(order))).toBe(200)
  t.clock.advance(2 * HOUR)
  house.misbehave = null
  await setBitcoin(t, 50_000n)
  house.set(part.order, 'paid', { payment_amount: '0.00032', txid: 'c' })
  await reconcilePayments(t.ctx)
  t.clock.advance(MINUTE)
  await reconcilePayments(t.ctx)
  expect(await look(t, user, whole.order)).toMatchObject({ state: 'paid', received: '20.00' })
  expect(await look(t, user, part.order)).toMatchObject({ state: 'partial', received: '16.50' })
  await expectRightBooks(t)
})

test('a little that is under way at the end promises no more than it turns out to be', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  house.due = DUE
  const user = await openHeleketShop(t, house)
  const seen = { house, user, order: (await begin(t, user, '20.00', 'coins')).transaction_id }
  expect(await become(t, seen, ['confirm_check', { txid: 'a' }])).toEqual(['confirming', '0.00'])
  t.clock.advance(2 * HOUR)
  await setBitcoin(t, 50_000n)
  const little = { payment_amount: '0.00004', txid: 'a' }
  expect(await become(t, seen, ['wrong_amount_waiting', little])).toEqual(['confirming', '0.00'])
  const rest = { payment_amount: '0.00032', txid: 'b' }
  expect(await become(t, seen, ['paid', rest])).toEqual(['partial', '16.50'])
  await expectRightBooks(t)
})

test('without a fresh rate what is late waits as confirming, and staff are told', async () => {
  await using t = await startTestApp({ environment: { ALARM_MAIL: 'night@example.test' } })
  await using house = await openHeleketHouse(t.clock)
  house.due = DUE
  const user = await openHeleketShop(t, house)
  const seen = { house, user, order: (await begin(t, user, '20.00', 'coins')).transaction_id }
  await setBitcoin(t, 50_000n)
  t.clock.advance(63 * MINUTE + 1)
  const late = { payment_amount: '0.00032', txid: 'a' }
  expect(await become(t, seen, ['cancel', late])).toEqual(['confirming', '0.00'])
  await watchService(t.ctx)
  await setBitcoin(t, 40_000n)
  t.clock.advance(HOUR - 1)
  await reconcilePayments(t.ctx)
  expect(await look(t, user, seen.order)).toMatchObject({ state: 'partial', received: '12.80' })
  await watchService(t.ctx)
  const told = (await sentMails(t)).map(({ mail }) => (mail.kind === 'alarm' ? `${mail.alarm} ${mail.over}` : ''))
  expect(told).toEqual(['coin-rate false', 'coin-rate true'])
  await expectRightBooks(t)
})

test('a coin that is never named waits for a week, staff are told meanwhile, and what is named later credits nothing twice', async () => {
  await using t = await startTestApp({ environment: { ALARM_MAIL: 'night@example.test' } })
  await using house = await openHeleketHouse(t.clock)
  house.due = DUE
  const user = await openHeleketShop(t, house, { paid_in: 'invoice' })
  const seen = { house, user, order: (await begin(t, user, '20.00', 'coins')).transaction_id }
  t.clock.advance(2 * HOUR)
  const unnamed = { payment_amount: '20.00', payer_currency: null, payer_amount: null, txid: 'a' }
  expect(await become(t, seen, ['cancel', unnamed])).toEqual(['confirming', '0.00'])
  await watchService(t.ctx)
  t.clock.advance(7 * DAY)
  expect(await become(t, seen, ['cancel', unnamed])).toEqual(['confirming', '0.00'])
  t.clock.advance(HOUR)
  await reconcilePayments(t.ctx)
  expect(await look(t, user, seen.order)).toMatchObject({ state: 'expired', received: '0.00' })
  await watchService(t.ctx)
  const told = (await sentMails(t)).map(({ mail }) => (mail.kind === 'alarm' ? `${mail.alarm} ${mail.over}` : ''))
  expect(told).toEqual(['coin-name false', 'coin-name true'])
  await setBitcoin(t, 50_000n)
  expect(await become(t, seen, ['cancel', { payment_amount: '20.00', txid: 'a' }])).toEqual(['expired', '0.00'])
  await expectRightBooks(t)
})

test('late money in the account’s own currency needs no rate; told in the invoice’s, it is counted in coins', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  house.due = { asset: 'USD', amount: '20.00' }
  const user = await openHeleketShop(t, house, { paid_in: 'invoice' })
  const open = async () => ({ house, user, order: (await begin(t, user, '20.00', 'coins')).transaction_id })
  const [own, coin] = [await open(), await open()]
  t.clock.advance(2 * HOUR)
  expect(await become(t, own, ['cancel', { payment_amount: '7.50', txid: 'a' }])).toEqual(['partial', '7.50'])
  house.due = DUE
  await setBitcoin(t, 50_000n)
  expect(await become(t, coin, ['cancel', { payment_amount: '10.00', txid: 'b' }])).toEqual(['partial', '8.00'])
  await expectRightBooks(t)
})

test('twenty questions at once, as of several processes, value what has come once', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  house.due = DUE
  await setBitcoin(t, 50_000n)
  const user = await openHeleketShop(t, house)
  const { transaction_id } = await begin(t, user, '20.00', 'coins')
  house.set(transaction_id, 'paid_over', { payment_amount: '0.00048', txid: 'a' })
  const row = await findPayment(t.ctx.db, (await findIdByTransaction(t.ctx.db, transaction_id)) ?? 0n)
  const gateway = gatewaysOf(t.ctx).byCode('coins')?.gateway
  if (row === null || gateway === undefined) throw new Error('there is no payment')
  const { signal } = new AbortController()
  const answers = await Promise.all(Array.from({ length: 20 }, () => gateway.fetch(toKnown(row), signal)))
  for (const facts of answers) expect(facts?.deposits).toMatchObject([{ amountMicros: 28_000_000n, isTotal: true }])
  const { rows } = await t.ctx.db.query<{ count: bigint }>({ text: 'SELECT count(*) FROM coin_deposits' })
  expect(rows).toEqual([{ count: 1n }])
})

async function forgetCoins(t: TestApp): Promise<void> {
  await t.ctx.db.query({ text: 'DELETE FROM coin_deposits' })
  await t.ctx.db.query({ text: 'DELETE FROM coin_sights' })
}

test('what an earlier release has credited stays worth that, and what comes after it is new', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  house.due = DUE
  const user = await openHeleketShop(t, house)
  const open = async () => ({ house, user, order: (await begin(t, user, '20.00', 'coins')).transaction_id })
  const [paid, part] = [await open(), await open()]
  const whole = { payment_amount: '0.00032', txid: 'a' }
  expect(await become(t, paid, ['paid', whole])).toEqual(['paid', '20.00'])
  const half = { payment_amount: '0.00016', txid: 'b' }
  expect(await become(t, part, ['wrong_amount', half])).toEqual(['partial', '10.00'])
  await forgetCoins(t)
  t.clock.advance(DAY)
  await setBitcoin(t, 100_000n)
  await reconcilePayments(t.ctx)
  expect(await become(t, paid, ['paid', whole])).toEqual(['paid', '20.00'])
  expect(await become(t, part, ['wrong_amount', { payment_amount: '0.00017', txid: 'c' }])).toEqual([
    'partial',
    '11.00',
  ])
  await expectRightBooks(t)
})
