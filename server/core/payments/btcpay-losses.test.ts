import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { DAY } from '#contract/time.ts'
import type { Gateway } from '#server/core/gateways/gateway.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import { becomeInvoice as become, openBtcpayShop, settled, tellBtcpay } from '#test/builders/money/btcpay.ts'
import { setBitcoin } from '#test/builders/money/rates.ts'
import { balanceOf, begin, expectRightBooks, look } from '#test/builders/payments.ts'
import { BTCPAY_KEY, type BtcpayHouse, type HousePayment, openBtcpayHouse } from '#test/fakes/btcpay-house.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { settleFacts, toKnown } from './check-payment.ts'
import { findPayment, type PaymentRow } from './queries/payments.ts'
import { reconcilePayments } from './reconcile.ts'

type Seen = { house: BtcpayHouse; user: TestUser; order: string }

const RATE = '62500.00'
const TERMS = { systems: { btc: { fee_percent: '10', bonus_percent: '5' } } }

async function open(t: TestApp, house: BtcpayHouse, more: Record<string, unknown> = {}): Promise<Seen> {
  house.rate = RATE
  const user = await openBtcpayShop(t, house, more)
  return { house, user, order: (await begin(t, user, '20.00', 'coin-btc')).transaction_id }
}

const gone = (payments: readonly HousePayment[]) => payments.map((one) => ({ ...one, status: 'Invalid' as const }))

async function becomeTwice(t: TestApp, seen: Seen, payments: HousePayment[]): Promise<[string, string]> {
  const first = [await become(t, seen, ['Settled', { payments }]), await balanceOf(t, seen.user)]
  await expectRightBooks(t)
  const [state, credited] = await become(t, seen, ['Settled', { payments }])
  const balance = await balanceOf(t, seen.user)
  expect([[state, credited], balance]).toEqual(first)
  return [state, balance]
}

async function disputes(t: TestApp): Promise<string[]> {
  const { rows } = await t.ctx.db.query<{ name: string }>({
    text: `SELECT provider_id || ' ' || state AS name FROM reversals WHERE kind = 'dispute' ORDER BY id`,
  })
  return rows.map(({ name }) => name)
}

async function gatewayOf(t: TestApp): Promise<{ gateway: Gateway; row: PaymentRow }> {
  const { rows } = await t.ctx.db.query<{ id: bigint }>({ text: 'SELECT max(id) AS id FROM payments' })
  const row = await findPayment(t.ctx.db, rows[0]?.id ?? 0n)
  const gateway = row === null ? undefined : gatewaysOf(t.ctx).get(row.gateway_id)?.gateway
  if (row === null || gateway === undefined) throw new Error('there is no payment by a gateway')
  return { gateway, row }
}

const soon = () => AbortSignal.timeout(DAY)

test('each time that a payment vanishes its money is taken, each time that it comes back it is returned; lost in the end', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  const seen = await open(t, house, TERMS)
  const there = [settled('tx-0', '0.00032')]
  expect(await becomeTwice(t, seen, there)).toEqual(['paid', '19.00'])
  for (const _ of [1, 2]) {
    expect(await becomeTwice(t, seen, gone(there))).toEqual(['disputed', '0.00'])
    expect(await becomeTwice(t, seen, there)).toEqual(['paid', '19.00'])
  }
  expect(await becomeTwice(t, seen, gone(there))).toEqual(['disputed', '0.00'])
  t.clock.advance(3 * DAY)
  await reconcilePayments(t.ctx)
  await reconcilePayments(t.ctx)
  expect(await look(t, seen.user, seen.order)).toMatchObject({ state: 'disputed', credited: '0.00' })
  expect(await disputes(t)).toEqual(['Invoice1/tx-0 won', 'Invoice1/tx-0#2 won', 'Invoice1/tx-0#3 lost'])
  expect(await balanceOf(t, seen.user)).toBe('0.00')
  await expectRightBooks(t)
})

test('a transaction that another replaces (RBF) takes nothing: the coins are there, and the payment is paid', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  const seen = await open(t, house, TERMS)
  const [first, second] = [[settled('tx-0', '0.00032')], [settled('tx-1', '0.00032')]]
  expect(await becomeTwice(t, seen, first)).toEqual(['paid', '19.00'])
  expect(await becomeTwice(t, seen, [...gone(first), ...second])).toEqual(['paid', '19.00'])
  expect(await becomeTwice(t, seen, gone([...first, ...second]))).toEqual(['disputed', '0.00'])
  expect(await becomeTwice(t, seen, second)).toEqual(['paid', '19.00'])
  expect(await becomeTwice(t, seen, [...first, ...second])).toEqual(['paid', '37.00'])
  expect(await disputes(t)).toEqual(['Invoice1/tx-0 won'])
  await expectRightBooks(t)
})

test('what the tolerance completed and what was beyond the sum go and come back along with it, each time', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  await setBitcoin(t, 50_000n)
  const short = await open(t, house, { tolerance_percent: 5 })
  const parts = [settled('a', '0.00016'), settled('b', '0.00015')]
  const half = [settled('a', '0.00016'), ...gone([settled('b', '0.00015')])]
  expect(await becomeTwice(t, short, parts)).toEqual(['paid', '20.00'])
  for (const _ of [1, 2]) {
    expect(await becomeTwice(t, short, half)).toEqual(['disputed', '10.00'])
    expect(await becomeTwice(t, short, gone(parts))).toEqual(['disputed', '0.00'])
    expect(await becomeTwice(t, short, parts)).toEqual(['paid', '20.00'])
  }
  const over = { ...short, order: (await begin(t, short.user, '20.00', 'coin-btc')).transaction_id }
  const double = [settled('c', '0.00064')]
  expect(await becomeTwice(t, over, double)).toEqual(['paid', '56.00'])
  for (const _ of [1, 2]) {
    expect(await becomeTwice(t, over, gone(double))).toEqual(['disputed', '20.00'])
    expect(await becomeTwice(t, over, double)).toEqual(['paid', '56.00'])
  }
  expect(new Set((await disputes(t)).map((name) => name.replace(/^\w+/, '')))).toEqual(
    new Set([
      '/b won',
      ':whole:1 won',
      '/a won',
      '/b#2 won',
      ':whole:1#2 won',
      '/a#2 won',
      '/c won',
      '/c:rest won',
      '/c#2 won',
      '/c:rest#2 won',
    ]),
  )
})

test('twenty askers at once take it once and return it once', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  const seen = await open(t, house)
  const there = [settled('tx-0', '0.00032')]
  expect(await becomeTwice(t, seen, there)).toEqual(['paid', '20.00'])
  const { gateway, row } = await gatewayOf(t)
  const payment = toKnown(row)
  for (const _ of [1, 2]) {
    for (const [payments, state, balance] of [
      [gone(there), 'disputed', '0.00'],
      [there, 'paid', '20.00'],
    ] as const) {
      const { id, metadata } = house.set(seen.order, 'Settled', { payments: [...payments] })
      const facts = await Promise.all(Array.from({ length: 20 }, () => gateway.fetch(payment, soon())))
      const events = facts.map(() => house.event('InvoiceSettled', { invoiceId: id, metadata }))
      await Promise.all([
        ...facts.map((one) => one && settleFacts(t.ctx, row, one)),
        ...events.map((event) => tellBtcpay(t, event)),
      ])
      expect([(await look(t, seen.user, seen.order)).state, await balanceOf(t, seen.user)]).toEqual([state, balance])
      await expectRightBooks(t)
    }
  }
  expect(await disputes(t)).toEqual(['Invoice1/tx-0 won', 'Invoice1/tx-0#2 won'])
})

test('an answer that is overtaken on its way takes nothing for the second time', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  const seen = await open(t, house)
  const there = [settled('tx-0', '0.00032')]
  await becomeTwice(t, seen, there)
  expect(await becomeTwice(t, seen, gone(there))).toEqual(['disputed', '0.00'])
  const { gateway, row } = await gatewayOf(t)
  const held = Promise.withResolvers<{ path: string; reply: ServerResponse }>()
  house.misbehave = ({ url = '' }, reply) => {
    if (!url.includes('payment-methods')) return false
    house.misbehave = null
    held.resolve({ path: url, reply })
    return true
  }
  const asked = gateway.fetch(toKnown(row), soon())
  const { path, reply } = await held.promise
  const headers = { authorization: `token ${BTCPAY_KEY}`, 'content-type': 'application/json' }
  const old = await (await fetch(new URL(path, house.url), { headers })).text()
  expect(await becomeTwice(t, seen, there)).toEqual(['paid', '20.00'])
  reply.writeHead(200, { 'content-type': 'application/json' }).end(old)
  const facts = await asked
  if (facts === null) throw new Error('BTCPay was asked')
  expect((await settleFacts(t.ctx, row, facts)).state).toBe('paid')
  expect(await balanceOf(t, seen.user)).toBe('20.00')
  expect(await disputes(t)).toEqual(['Invoice1/tx-0 won'])
  await expectRightBooks(t)
})
