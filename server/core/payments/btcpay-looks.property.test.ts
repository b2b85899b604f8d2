import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toDecimal } from '#contract/money.ts'
import { HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { becomeInvoice, openBtcpayShop } from '#test/builders/money/btcpay.ts'
import { setBitcoin } from '#test/builders/money/rates.ts'
import { begin, expectRightBooks } from '#test/builders/payments.ts'
import { type HousePayment, openBtcpayHouse } from '#test/fakes/btcpay-house.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { randomRuns } from '#test/harness/random-runs.ts'

const CENT = 10_000n
const ASKED = 2_000n
/** The number of satoshis that are worth two cents at the invoice's exchange rate and one cent at our exchange rate. */
const STEP = 32

type Payment = { steps: number; isLate: boolean }
type Status = HousePayment['status']
type Look = { statuses: Status[]; invoice: string; hasRate: boolean }
type Story = { tolerance: number; payments: Payment[]; looks: Look[] }

const payments = fc
  .tuple(
    fc.array(fc.oneof(fc.constantFrom(310, 320, 333), fc.integer({ min: 1, max: 333 })), { maxLength: 3 }),
    fc.array(fc.integer({ min: 1, max: 1_200 }), { maxLength: 2 }),
  )
  .map(([early, late]) => [
    ...early.map((steps) => ({ steps, isLate: false })),
    ...late.map((steps) => ({ steps, isLate: true })),
  ])
const look: fc.Arbitrary<Look> = fc.record({
  statuses: fc.array(fc.constantFrom<Status>('Settled', 'Settled', 'Settled', 'Processing', 'Invalid'), {
    minLength: 5,
    maxLength: 5,
  }),
  invoice: fc.constantFrom('New', 'Processing', 'Settled', 'Settled', 'Settled', 'Expired'),
  hasRate: fc.boolean(),
})
const story: fc.Arbitrary<Story> = fc.record({
  tolerance: fc.constantFrom(0, 5, 20),
  payments,
  looks: fc.array(look, { minLength: 1, maxLength: 5 }),
})

function worthOf({ tolerance, payments }: Story, { statuses, invoice }: Look): bigint {
  const cents = payments.map(({ steps, isLate }, place) =>
    statuses[place] === 'Settled' ? BigInt(steps * (isLate ? 1 : 2)) : 0n,
  )
  const sum = cents.reduce((total, one) => total + one, 0n)
  const isWithin = sum > 0n && sum * 100n >= ASKED * BigInt(100 - tolerance)
  return invoice === 'Settled' && isWithin && sum < ASKED ? ASKED : sum
}

test('whatever was seen before, in whatever order and with or without a rate, the facts alone decide what is credited', async () => {
  await using t = await startTestApp()
  await using house = await openBtcpayHouse(t.clock)
  house.rate = '62500.00'
  const shop = await openBtcpayShop(t, house)
  const property = fc.asyncProperty(story, async (told) => {
    const made = await t.makeUser({ currency: 'usd', balance: '0.00' })
    const user = { ...shop, ...made, token: await t.makeApiKey(made) }
    const { transaction_id: order } = await begin(t, user, '20.00', 'coin-btc')
    const invoice = house.of(order)
    invoice.tolerance = told.tolerance
    t.clock.advance(40 * MINUTE)
    const last = told.looks.at(-1)
    for (const one of [...told.looks, ...(last === undefined ? [] : [{ ...last, hasRate: true }])]) {
      t.clock.advance(HOUR + SECOND)
      if (one.hasRate) await setBitcoin(t, 31_250n)
      const seen = told.payments.map(({ steps, isLate }, place) => ({
        id: `p${place}`,
        value: `0.${String(steps * STEP).padStart(8, '0')}`,
        status: one.statuses[place] ?? 'Invalid',
        receivedDate: invoice.expirationTime + (isLate ? 200 : 0),
      }))
      const [, credited] = await becomeInvoice(t, { house, user, order }, [one.invoice, { payments: seen }])
      const worth = worthOf(told, one) * CENT
      if (one.hasRate) expect(credited).toBe(toDecimal(worth))
    }
    await expectRightBooks(t)
  })
  await fc.assert(property, { numRuns: randomRuns({ suite: 8, soak: 1_000 }) })
})
