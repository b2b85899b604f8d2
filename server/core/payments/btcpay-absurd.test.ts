import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { becomeInvoice as become, openBtcpayShop, settled } from '#test/builders/money/btcpay.ts'
import { setBitcoin } from '#test/builders/money/rates.ts'
import { begin, expectRightBooks } from '#test/builders/payments.ts'
import { openBtcpayHouse } from '#test/fakes/btcpay-house.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { typed } from '#test/harness/typed.ts'

const RATE = '62500.00'

test('one absurd payment is held alone, with words, and neither uses up what was due nor is taken for the whole', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  house.rate = RATE
  const user = await openBtcpayShop(t, house)
  const half = settled('half', '0.00016')
  const absurd = [
    settled('huge', '20999999.99999999'),
    settled('long', `${'9'.repeat(31)}.00000000`),
    settled('power', '1E99'),
    settled('tiny', `0.${'0'.repeat(30)}1`),
    settled('small', '1E-60'),
    settled('words', 'much'),
    settled('fee', '0.00016', { fee: `0.${'1'.repeat(31)}` }),
  ]
  for (const one of absurd) {
    const seen = { house, user, order: (await begin(t, user, '20.00', 'coin-btc')).transaction_id }
    const receivedDate = Math.floor(t.clock.now().getTime() / 1000) - 1
    const first = { ...one, receivedDate }
    expect(await become(t, seen, ['Settled', { payments: [first] }])).toEqual(['confirming', '0.00'])
    expect(await become(t, seen, ['Settled', { payments: [first, half] }])).toEqual(['partial', '10.00'])
    const held = t.log.lines.findLast(({ sentence }) => sentence.includes('cannot be'))
    expect(held?.fields).toMatchObject({ payment: seen.order, held: expect.stringContaining(one.id) })
    expect(await become(t, seen, ['Settled', { payments: [first, half, settled('then', '0.00016')] }])).toEqual([
      'paid',
      '20.00',
    ])
    await expectRightBooks(t)
    t.clock.advance(10 * MINUTE)
  }
})

test('coins that a wrong rate makes absurd wait for a right one, and the others of the payment do not wait with them', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  house.rate = RATE
  const user = await openBtcpayShop(t, house)
  const seen = { house, user, order: (await begin(t, user, '20.00', 'coin-btc')).transaction_id }
  const payments = [settled('half', '0.00016'), settled('much', '0.1')]
  await setBitcoin(t, 100_000_000_000n)
  expect(await become(t, seen, ['Settled', { payments }])).toEqual(['paid', '20.00'])
  expect(t.log.lines.map(({ sentence }) => sentence)).toContainEqual(expect.stringContaining('is the rate right'))
  expect((await typed(t.database, 'payment:list', '--state', 'waiting', '--json')).out).toContain(seen.order)
  await expectRightBooks(t)
  await setBitcoin(t, 50_000n)
  expect(await become(t, seen, ['Settled', { payments }])).toEqual(['paid', '5012.00'])
  await expectRightBooks(t)
})
