import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { becomeInvoice, openBtcpayShop, settled } from '#test/builders/money/btcpay.ts'
import { setBitcoin } from '#test/builders/money/rates.ts'
import { balanceOf, begin, expectRightBooks, look } from '#test/builders/payments.ts'
import { type BtcpayHouse, type HousePayment, openBtcpayHouse } from '#test/fakes/btcpay-house.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { reconcilePayments } from './reconcile.ts'

type Seen = { house: BtcpayHouse; user: TestUser; order: string }

const RATE = '62500.00'

async function shop(t: TestApp, house: BtcpayHouse, more: Record<string, unknown> = {}): Promise<() => Promise<Seen>> {
  house.rate = RATE
  const user = await openBtcpayShop(t, house, more)
  return async () => ({ house, user, order: (await begin(t, user, '20.00', 'coin-btc')).transaction_id })
}

async function become(t: TestApp, seen: Seen, status: string, payments: HousePayment[]): Promise<[string, string]> {
  const first = await becomeInvoice(t, seen, [status, { payments }])
  expect(await becomeInvoice(t, seen, [status, { payments }])).toEqual(first)
  await expectRightBooks(t)
  return first
}

const gone = { status: 'Invalid' } as const
const coming = { status: 'Processing' } as const
const short = (t: TestApp) =>
  t.log.lines.filter(({ sentence }) => sentence.includes('has an invoice as settled')).map(({ fields }) => fields)

test('a settled invoice is worth what stands of it: nothing gone, nothing under way, no sixteenth is the whole', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  const open = await shop(t, house, { speed_policy: 'HighSpeed' })
  const [none, part, under, little] = [await open(), await open(), await open(), await open()]
  expect(await become(t, none, 'Settled', [settled('a', '0.00032', gone)])).toEqual(['pending', '0.00'])
  const x = settled('x', '0.00002')
  expect(await become(t, part, 'Processing', [x, settled('y', '0.0003', coming)])).toEqual(['partial', '1.25'])
  expect(await become(t, part, 'Settled', [x, settled('y', '0.0003', gone)])).toEqual(['partial', '1.25'])
  expect(await become(t, under, 'Settled', [settled('b', '0.00032', coming)])).toEqual(['confirming', '0.00'])
  expect(await become(t, little, 'Settled', [settled('c', '0.00031998')])).toEqual(['partial', '19.99'])
  t.clock.advance(5 * DAY)
  await reconcilePayments(t.ctx)
  expect(await look(t, none.user, none.order)).toMatchObject({ state: 'expired', credited: '0.00' })
  expect(await balanceOf(t, none.user)).toBe('21.24')
  expect(await become(t, under, 'Settled', [settled('b', '0.00032')])).toEqual(['paid', '20.00'])
  const orders = short(t).map((fields) => (fields as { payment: string }).payment)
  expect(new Set(orders)).toEqual(new Set([none, part, under, little].map(({ order }) => order)))
  expect(short(t)).toContainEqual(expect.objectContaining({ payment: little.order, worth: '19.99875' }))
  const told = short(t).length
  expect(await become(t, under, 'Settled', [settled('b', '0.00032')])).toEqual(['paid', '20.00'])
  expect(short(t)).toHaveLength(told)
})

test('the tolerance is that of the invoice, holds to its edge, and completes nothing that somebody has marked', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  const open = await shop(t, house, { tolerance_percent: 5 })
  const [edge, beyond, marked, other, untold] = [await open(), await open(), await open(), await open(), await open()]
  // If BTCPay rounds an amount to a satoshi, the payment is not short.
  expect(await become(t, edge, 'Settled', [settled('a', '0.00030399')])).toEqual(['paid', '20.00'])
  expect(await become(t, beyond, 'Settled', [settled('b', '0.00030398')])).toEqual(['partial', '18.99'])
  const payments = [settled('c', '0.00031')]
  expect(await becomeInvoice(t, marked, ['Settled', { additional: 'Marked', payments }])).toEqual(['partial', '19.37'])
  expect(await become(t, marked, 'Settled', payments)).toEqual(['paid', '20.00'])
  house.of(other.order).tolerance = 0
  expect(await become(t, other, 'Settled', [settled('d', '0.00031')])).toEqual(['partial', '19.37'])
  house.of(other.order).tolerance = 4
  expect(await become(t, other, 'Settled', [settled('d', '0.00031')])).toEqual(['paid', '20.00'])
  house.of(untold.order).tolerance = null
  expect(await become(t, untold, 'Settled', [settled('e', '0.00031')])).toEqual(['paid', '20.00'])
})

test('what comes after the tolerance has completed a sum fills that first, and whatever vanishes then leaves what is there', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  await setBitcoin(t, 50_000n)
  const open = await shop(t, house, { tolerance_percent: 5 })
  const seen = await open()
  const [a, b, c] = [settled('a', '0.00016'), settled('b', '0.000152'), settled('c', '0.000008')]
  expect(await become(t, seen, 'Settled', [a, b])).toEqual(['paid', '20.00'])
  expect(await become(t, seen, 'Settled', [a, b, c])).toEqual(['paid', '20.00'])
  const all = [a, b, c, settled('d', '0.00002')]
  expect(await become(t, seen, 'Settled', all)).toEqual(['paid', '21.00'])
  expect(await become(t, seen, 'Settled', [a, ...all.slice(2)])).toEqual(['disputed', '11.50'])
  expect(await become(t, seen, 'Settled', all)).toEqual(['paid', '21.00'])
  expect((await become(t, seen, 'Settled', []))[1]).toBe('0.00')
  expect((await become(t, seen, 'Settled', all))[1]).toBe('21.00')
  const other = await open()
  expect(await become(t, other, 'Settled', [settled('e', '0.00031')])).toEqual(['paid', '20.00'])
  const replaced = [settled('e', '0.00031', gone), settled('f', '0.000306')]
  expect(await become(t, other, 'Settled', replaced)).toEqual(['paid', '20.00'])
})

test('a rate that is missing completes nothing: late coins are worth the same before and after it is back', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  const open = await shop(t, house)
  const [before, after, over, kept] = [await open(), await open(), await open(), await open()]
  house.of(over.order).tolerance = 5
  house.of(kept.order).tolerance = 5
  const early = settled('k', '0.00031', { receivedDate: Math.floor(t.clock.now().getTime() / 1000) })
  expect(await become(t, kept, 'Settled', [early])).toEqual(['paid', '20.00'])
  t.clock.advance(40 * MINUTE)
  const late = [settled('l', '0.00032')]
  expect(await become(t, before, 'Settled', late)).toEqual(['confirming', '0.00'])
  const mixed = [{ ...early, id: 'm' }, settled('n', '0.00002')]
  expect(await become(t, over, 'Settled', mixed)).toEqual(['partial', '19.37'])
  const grown = [early, settled('o', '0.00002')]
  expect(await become(t, kept, 'Settled', grown)).toEqual(['paid', '20.00'])
  t.clock.advance(HOUR)
  await setBitcoin(t, 50_000n)
  expect(await become(t, before, 'Settled', late)).toEqual(['partial', '16.00'])
  expect(await become(t, after, 'Settled', [settled('p', '0.00032')])).toEqual(['partial', '16.00'])
  for (const [seen, payments] of [
    [over, mixed],
    [kept, grown],
  ] as const)
    expect(await become(t, seen, 'Settled', payments)).toEqual(['paid', '20.37'])
})
