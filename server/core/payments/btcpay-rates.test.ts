import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { watchService } from '#server/core/alarms/watch-service.ts'
import { sentMails } from '#test/builders/mails.ts'
import { becomeInvoice as become, openBtcpayShop, settled } from '#test/builders/money/btcpay.ts'
import { setBitcoin } from '#test/builders/money/rates.ts'
import { balanceOf, begin, expectRightBooks, look } from '#test/builders/payments.ts'
import { type HousePayment, openBtcpayHouse } from '#test/fakes/btcpay-house.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { reconcilePayments } from './reconcile.ts'

const RATE = '62500.00'

test('the invoice’s rate holds for what came by its end, up to what was due; the rest and the late has ours, for good', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  house.rate = RATE
  await setBitcoin(t, 50_000n)
  const user = await openBtcpayShop(t, house)
  const open = async () => ({ house, user, order: (await begin(t, user, '20.00', 'coin-btc')).transaction_id })
  const [over, late, edge] = [await open(), await open(), await open()]
  const double = { additional: 'PaidOver', payments: [settled('a', '0.00064')] }
  expect(await become(t, over, ['Settled', double])).toEqual(['paid', '36.00'])
  t.clock.advance(32 * MINUTE)
  const soon = { ...settled('soon', '0.00016'), status: 'Processing' } as const
  expect(await become(t, edge, ['Expired', { additional: 'PaidLate', payments: [soon] }])).toEqual([
    'confirming',
    '0.00',
  ])
  t.clock.advance(2 * MINUTE)
  await setBitcoin(t, 50_000n)
  const half = { additional: 'PaidLate', payments: [settled('b', '0.00016')] }
  expect(await become(t, late, ['Expired', half])).toEqual(['partial', '8.00'])
  const both = [settled('soon', '0.00016'), settled('then', '0.00016')]
  expect(await become(t, edge, ['Expired', { additional: 'PaidLate', payments: both }])).toEqual(['partial', '18.00'])

  t.clock.advance(DAY)
  house.rate = '125000.00'
  await setBitcoin(t, 100_000n)
  expect(await become(t, over, ['Settled', double])).toEqual(['paid', '36.00'])
  expect(await become(t, late, ['Expired', half])).toEqual(['partial', '8.00'])
  const again = { additional: 'PaidLate', payments: [settled('b', '0.00016'), settled('c', '0.00001')] }
  expect(await become(t, late, ['Expired', again])).toEqual(['partial', '9.00'])
  expect(await balanceOf(t, user)).toBe('63.00')
  expect(house.faults).toEqual([])
  await expectRightBooks(t)
})

test('whatever settles first, no more than what was due has the invoice’s rate', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  house.rate = RATE
  await setBitcoin(t, 50_000n)
  const user = await openBtcpayShop(t, house)
  const seen = { house, user, order: (await begin(t, user, '20.00', 'coin-btc')).transaction_id }
  const first: HousePayment = { ...settled('first', '0.00032'), status: 'Processing', receivedDate: 1 }
  const second = settled('second', '0.00032')
  expect(await become(t, seen, ['Processing', { payments: [first, second] }])).toEqual(['paid', '20.00'])
  const payments = [{ ...first, status: 'Settled' as const }, second]
  expect(await become(t, seen, ['Settled', { additional: 'PaidOver', payments }])).toEqual(['paid', '36.00'])
  const other = { ...seen, order: (await begin(t, user, '20.00', 'coin-btc')).transaction_id }
  expect(await become(t, other, ['Settled', { payments: [settled('low', '0.00032')] }])).toEqual(['paid', '20.00'])
  const replaced = [{ ...settled('low', '0.00032'), status: 'Invalid' as const }, settled('high', '0.00032')]
  expect(await become(t, other, ['Settled', { payments: replaced }])).toEqual(['paid', '20.00'])
  expect(await balanceOf(t, user)).toBe('56.00')
  await expectRightBooks(t)
})

test('without a fresh rate what is late waits as confirming, and staff are told; the rest of what is paid waits as well', async () => {
  await using t = await startTestApp({ environment: { ALARM_MAIL: 'night@example.test' } })
  await using house = await openBtcpayHouse(t.clock)
  house.rate = RATE
  const user = await openBtcpayShop(t, house)
  const open = async () => ({ house, user, order: (await begin(t, user, '20.00', 'coin-btc')).transaction_id })
  const [over, late] = [await open(), await open()]
  await setBitcoin(t, 50_000n)
  t.clock.advance(29 * MINUTE)
  const receivedDate = t.clock.now().getTime() / SECOND
  t.clock.advance(32 * MINUTE)
  const more = { additional: 'PaidOver', payments: [settled('a', '0.00048', { receivedDate })] }
  expect(await become(t, over, ['Settled', more])).toEqual(['paid', '20.00'])
  const all = { additional: 'PaidLate', payments: [settled('b', '0.00032')] }
  expect(await become(t, late, ['Expired', all])).toEqual(['confirming', '0.00'])
  await watchService(t.ctx)
  await setBitcoin(t, 40_000n)
  t.clock.advance(59 * MINUTE)
  await reconcilePayments(t.ctx)
  t.clock.advance(MINUTE)
  await reconcilePayments(t.ctx)
  expect(await look(t, user, over.order)).toMatchObject({ state: 'paid', credited: '26.40' })
  expect(await look(t, user, late.order)).toMatchObject({ state: 'partial', credited: '12.80' })
  await watchService(t.ctx)
  const told = (await sentMails(t)).map(({ mail }) => (mail.kind === 'alarm' ? `${mail.alarm} ${mail.over}` : ''))
  expect(told).toEqual(['coin-rate false', 'coin-rate true'])
  await expectRightBooks(t)
})

test('a payment that vanishes takes what the tolerance completed with it, and brings it back', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  house.rate = RATE
  const user = await openBtcpayShop(t, house, { tolerance_percent: 5 })
  const open = async () => ({ house, user, order: (await begin(t, user, '20.00', 'coin-btc')).transaction_id })
  const seen = await open()
  const there = [settled('a', '0.00016'), settled('b', '0.00015')]
  const gone = [settled('a', '0.00016'), settled('b', '0.00015', { status: 'Invalid' })]
  expect(await become(t, seen, ['Settled', { payments: there }])).toEqual(['paid', '20.00'])
  // The vanished payment's 9.37 and the tolerance's 0.63 are taken back from the credited 20.00.
  expect(await become(t, seen, ['Settled', { payments: gone }])).toEqual(['disputed', '10.00'])
  await expectRightBooks(t)
  expect(await become(t, seen, ['Settled', { payments: there }])).toEqual(['paid', '20.00'])
  const lost = await open()
  const only = settled('c', '0.00031')
  expect(await become(t, lost, ['Settled', { payments: [only] }])).toEqual(['paid', '20.00'])
  expect(await become(t, lost, ['Invalid', { payments: [] }])).toEqual(['disputed', '0.00'])
  t.clock.advance(3 * DAY)
  await reconcilePayments(t.ctx)
  expect(await look(t, user, lost.order)).toMatchObject({ state: 'disputed', credited: '0.00' })
  expect(await balanceOf(t, user)).toBe('20.00')
  await expectRightBooks(t)
})

test('what staff credit by hand is neither valued nor taken back', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  house.rate = RATE
  const user = await openBtcpayShop(t, house)
  const seen = { house, user, order: (await begin(t, user, '20.00', 'coin-btc')).transaction_id }
  const settle = ['payment:settle', seen.order, '5.00', '--id', '7', '--yes', ...WHY] as const
  expect(await typed(t.database, ...settle)).toMatchObject({ code: 0 })
  t.clock.advance(HOUR)
  expect(await become(t, seen, ['Expired', { payments: [] }])).toEqual(['partial', '5.00'])
  await expectRightBooks(t)
})
