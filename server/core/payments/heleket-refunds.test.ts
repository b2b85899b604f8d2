import { expect, test } from 'vitest'
import { HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { become, openHeleketShop } from '#test/builders/money/heleket.ts'
import { setBitcoin } from '#test/builders/money/rates.ts'
import { debtOf } from '#test/builders/money/reversals.ts'
import { balanceOf, begin, expectRightBooks, look } from '#test/builders/payments.ts'
import { type HeleketHouse, type HouseInvoice, openHeleketHouse } from '#test/fakes/heleket-house.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { createTestClock } from '#test/harness/test-clock.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { reconcilePayments } from './reconcile.ts'

const WHOLE = { payment_amount: '0.00032', txid: 'a' }
/** The payer sends twice the amount due; the excess needs a rate and is worth 16.00. */
const DOUBLE = { payment_amount: '0.00064', txid: 'a' }

async function openInvoice(t: TestApp, house: HeleketHouse) {
  house.due = { asset: 'BTC', amount: '0.00032' }
  const user = await openHeleketShop(t, house)
  const { transaction_id: order } = await begin(t, user, '20.00', 'coins')
  const now = async () => {
    await expectRightBooks(t)
    expect(await debtOf(t, user)).toBe(0n)
    return [(await look(t, user, order)).state, await balanceOf(t, user)]
  }
  return {
    now,
    async tell(status: string, more: Partial<HouseInvoice>) {
      t.clock.advance(SECOND)
      await become(t, { house, order, user }, [status, more])
      return now()
    },
    async note(...more: string[]) {
      expect(await typed(t.database, 'payment:refund', order, ...more, ...WHY)).toMatchObject({ code: 0 })
      return now()
    },
    async rate() {
      t.clock.advance(HOUR + MINUTE)
      await setBitcoin(t, 50_000n)
      await reconcilePayments(t.ctx)
      return now()
    },
  }
}

test('what waits for a rate is not credited once it has been paid back; what comes after that is new', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  const invoice = await openInvoice(t, house)
  expect(await invoice.tell('paid_over', DOUBLE)).toEqual(['paid', '20.00'])
  expect(await invoice.tell('refund_process', DOUBLE)).toEqual(['refunded', '0.00'])
  expect(await invoice.rate()).toEqual(['refunded', '0.00'])
  expect(await invoice.tell('refund_paid', DOUBLE)).toEqual(['refunded', '0.00'])
  for (let hour = 0; hour < 3; hour += 1) expect(await invoice.rate()).toEqual(['refunded', '0.00'])
  expect(await invoice.tell('paid_over', DOUBLE)).toEqual(['refunded', '0.00'])
  const more = { payment_amount: '0.00096', txid: 'b' }
  expect(await invoice.tell('paid_over', more)).toEqual(['paid', '16.00'])
  expect(await invoice.tell('refund_paid', more)).toEqual(['refunded', '0.00'])
  expect(await invoice.tell('refund_paid', more)).toEqual(['refunded', '0.00'])
})

test('what was dropped when its refund was paid waits for its rate again when that refund fails after all', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  const invoice = await openInvoice(t, house)
  expect(await invoice.tell('paid_over', DOUBLE)).toEqual(['paid', '20.00'])
  expect(await invoice.tell('refund_paid', DOUBLE)).toEqual(['refunded', '0.00'])
  expect(await invoice.rate()).toEqual(['refunded', '0.00'])
  expect((await invoice.tell('refund_fail', DOUBLE))[0]).toBe('paid')
  expect(await invoice.rate()).toEqual(['paid', '36.00'])
  expect(await invoice.tell('refund_fail', DOUBLE)).toEqual(['paid', '36.00'])
  await expectRightBooks(t)
})

test('a refund that ends in the same look as the rate comes back leaves nothing, though a part of it was taken before', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  const invoice = await openInvoice(t, house)
  expect(await invoice.tell('paid_over', DOUBLE)).toEqual(['paid', '20.00'])
  expect(await invoice.tell('refund_process', DOUBLE)).toEqual(['refunded', '0.00'])
  await setBitcoin(t, 50_000n)
  expect(await invoice.tell('refund_paid', DOUBLE)).toEqual(['refunded', '0.00'])
  expect(await invoice.rate()).toEqual(['refunded', '0.00'])
})

test('the first that is ever told of an invoice is its refund: nothing is left, and what fails comes back with its rest', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  const invoice = await openInvoice(t, house)
  expect(await invoice.tell('refund_process', DOUBLE)).toEqual(['refunded', '0.00'])
  expect(await invoice.rate()).toEqual(['refunded', '0.00'])
  expect(await invoice.tell('refund_fail', DOUBLE)).toEqual(['paid', '20.00'])
  expect(await invoice.rate()).toEqual(['paid', '36.00'])
  expect(await invoice.tell('refund_process', DOUBLE)).toEqual(['refunded', '0.00'])
  expect(await invoice.tell('refund_paid', DOUBLE)).toEqual(['refunded', '0.00'])
})

test('of a refund that staff have noted as a part no more is taken, and each further part is noted as well', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  const invoice = await openInvoice(t, house)
  expect(await invoice.tell('paid', WHOLE)).toEqual(['paid', '20.00'])
  expect(await invoice.note('--amount', '5.00')).toEqual(['paid', '15.00'])
  expect(await invoice.tell('refund_process', WHOLE)).toEqual(['paid', '15.00'])
  expect(await invoice.tell('refund_paid', WHOLE)).toEqual(['paid', '15.00'])
  expect(await invoice.note('--amount', '7.00')).toEqual(['paid', '8.00'])
  expect(await invoice.tell('refund_paid', WHOLE)).toEqual(['paid', '8.00'])
  expect(await invoice.note()).toEqual(['refunded', '0.00'])
  expect(await invoice.tell('refund_paid', WHOLE)).toEqual(['refunded', '0.00'])
})

test('a noted part that fails comes back, and the next try that nobody noted takes all', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  const invoice = await openInvoice(t, house)
  expect(await invoice.tell('paid', WHOLE)).toEqual(['paid', '20.00'])
  expect(await invoice.note('--amount', '5.00')).toEqual(['paid', '15.00'])
  expect(await invoice.tell('refund_fail', WHOLE)).toEqual(['paid', '20.00'])
  expect(await invoice.tell('refund_process', WHOLE)).toEqual(['refunded', '0.00'])
  expect(await invoice.tell('refund_paid', WHOLE)).toEqual(['refunded', '0.00'])
})

test('of a part that is paid back the rest of the invoice is still credited when its rate is there', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  const invoice = await openInvoice(t, house)
  expect(await invoice.tell('paid_over', DOUBLE)).toEqual(['paid', '20.00'])
  expect(await invoice.note('--amount', '5.00')).toEqual(['paid', '15.00'])
  expect(await invoice.tell('refund_paid', DOUBLE)).toEqual(['paid', '15.00'])
  expect(await invoice.rate()).toEqual(['paid', '31.00'])
  expect(await invoice.tell('refund_paid', DOUBLE)).toEqual(['paid', '31.00'])
})

test.each([
  ['at once', 0],
  ['after the hourly question', 1],
])(
  'all that was credited is noted while the rest waits; told %s, no more than all is taken, and no debt is made',
  async (_, looks) => {
    await using t = await startTestApp()
    await using house = await openHeleketHouse(t.clock)
    const invoice = await openInvoice(t, house)
    expect(await invoice.tell('paid_over', DOUBLE)).toEqual(['paid', '20.00'])
    expect(await invoice.note()).toEqual(['refunded', '0.00'])
    await setBitcoin(t, 50_000n)
    for (let hour = 0; hour < looks; hour += 1) expect(await invoice.rate()).toEqual(['refunded', '0.00'])
    expect(await invoice.tell('refund_paid', DOUBLE)).toEqual(['refunded', '0.00'])
    expect(await invoice.rate()).toEqual(['refunded', '0.00'])
  },
)

test('a refund that failed and is paid after all is taken, though nobody noted it', async () => {
  await using t = await startTestApp()
  await using house = await openHeleketHouse(t.clock)
  const invoice = await openInvoice(t, house)
  expect(await invoice.tell('paid', WHOLE)).toEqual(['paid', '20.00'])
  expect(await invoice.tell('refund_process', WHOLE)).toEqual(['refunded', '0.00'])
  expect(await invoice.tell('refund_fail', WHOLE)).toEqual(['paid', '20.00'])
  expect(await invoice.tell('refund_paid', WHOLE)).toEqual(['refunded', '0.00'])
})

test('what was noted whole and what came after it are given back together when the refund of both fails', async () => {
  // The command line uses the machine's clock, so the test clock starts at that time.
  await using t = await startTestApp({ clock: createTestClock(new Date().toISOString()) })
  await using house = await openHeleketHouse(t.clock)
  const invoice = await openInvoice(t, house)
  expect(await invoice.tell('paid', WHOLE)).toEqual(['paid', '20.00'])
  expect(await invoice.note()).toEqual(['refunded', '0.00'])
  t.clock.advance(HOUR)
  await setBitcoin(t, 50_000n)
  expect(await invoice.tell('paid_over', DOUBLE)).toEqual(['paid', '16.00'])
  expect(await invoice.tell('refund_process', DOUBLE)).toEqual(['refunded', '0.00'])
  expect(await invoice.tell('refund_process', DOUBLE)).toEqual(['refunded', '0.00'])
  expect(await invoice.tell('refund_fail', DOUBLE)).toEqual(['paid', '36.00'])
  expect(await invoice.tell('refund_fail', DOUBLE)).toEqual(['paid', '36.00'])
  expect(await invoice.tell('refund_paid', DOUBLE)).toEqual(['refunded', '0.00'])
})
