import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '#contract/time.ts'
import { cancelActivation } from '#server/core/numbers/activations/cancel.ts'
import { buyActivation } from '#server/core/numbers/purchase/buy.ts'
import { refundActivation } from '#server/house/money/refund.ts'
import { buyOne, count, expectBooksRight, moneyOf, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting, rentOne } from '#test/builders/rental-rows.ts'
import { refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

const BUY = 'POST /api/v1/activations'
const TELEGRAM = { service_id: 'tg', country_id: 2 }

const press = (t: TestApp, user: TestUser) =>
  t.fetch('/api/v1/activations', {
    method: 'POST',
    token: user.token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(TELEGRAM),
  })

async function pressAtOnce(t: TestApp, user: TestUser, presses: number): Promise<{ sold: number; codes: string[] }> {
  const replies = await Promise.all(Array.from({ length: presses }, () => press(t, user)))
  const refusals = replies.filter((reply) => reply.status !== 201)
  const codes = await Promise.all(refusals.map(async (reply) => ((await reply.json()) as { code: string }).code))
  return { sold: presses - refusals.length, codes: [...new Set(codes)] }
}

test('fifty purchases at once open exactly as many numbers as the account may have open', async () => {
  await using t = await startTestApp({ config: { maxOpenNumbers: 10 } })
  await addRenting(t)
  const buyer = await t.makeUser({ balance: '10000.00' })
  expect(await pressAtOnce(t, buyer, 50)).toEqual({ sold: 10, codes: ['TOO_MANY_OPEN_NUMBERS'] })
  expect(await count(t.ctx, `activations WHERE state = 'waiting'`)).toBe(10)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '9870.00', held: '130.00' })
  const { status, body } = await refused(t, BUY, TELEGRAM, { token: buyer.token, locale: 'en' })
  expect([status, body.code, body.data]).toEqual([409, 'TOO_MANY_OPEN_NUMBERS', { limit: 10 }])
  expect(body.message).toContain('10')

  t.clock.advance(3 * MINUTE)
  const { rows } = await t.ctx.db.query<{ id: bigint }>({ text: 'SELECT id FROM activations ORDER BY id LIMIT 3' })
  for (const { id } of rows) await cancelActivation(t.ctx, { activationId: Number(id), userId: buyer.id })
  expect((await pressAtOnce(t, buyer, 12)).sold).toBe(3)

  const setLimit = (limit: number) =>
    t.ctx.db.query({
      text: 'UPDATE accounts SET open_numbers_limit = $2 WHERE user_id = $1',
      values: [buyer.id, limit],
    })
  await setLimit(12)
  expect((await pressAtOnce(t, buyer, 6)).sold).toBe(2)
  await setLimit(0)
  expect((await refused(t, BUY, TELEGRAM, { token: buyer.token })).body.data).toEqual({ limit: 0 })
  await setLimit(2_147_483_647)
  expect((await pressAtOnce(t, buyer, 5)).sold).toBe(5)
  const other = await t.makeUser({ balance: '1000.00' })
  for (let rented = 0; rented < 3; rented += 1) await rentOne(t, other)
  expect((await pressAtOnce(t, other, 10)).sold).toBe(7)
  const rent = { service_id: 'full', country_id: 2, period: 24 }
  expect((await refused(t, 'POST /api/v1/rentals', rent, { token: other.token })).body.code).toBe(
    'TOO_MANY_OPEN_NUMBERS',
  )
  await expectBooksRight(t.ctx)
})

test('an account spends at most its limit within 24 hours, and what came back is not spent', async () => {
  await using t = await startTestApp({ environment: { MAX_DAY_SPEND_RUB: '100.00' } })
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '10000.00' })
  expect(await pressAtOnce(t, buyer, 30)).toEqual({ sold: 7, codes: ['SPEND_LIMIT_REACHED'] })
  const { status, body } = await refused(t, BUY, TELEGRAM, { token: buyer.token })
  expect([status, body.data]).toEqual([409, { limit: '100.00', spent: '91.00' }])

  t.clock.advance(3 * MINUTE)
  const { rows } = await t.ctx.db.query<{ id: bigint; phone: string }>({
    text: 'SELECT id, phone FROM activations ORDER BY id',
  })
  const [first, second] = rows
  if (first === undefined || second === undefined) throw new Error('nothing was bought')
  await cancelActivation(t.ctx, { activationId: Number(first.id), userId: buyer.id })
  expect((await pressAtOnce(t, buyer, 5)).sold).toBe(1)
  await pushSms(t, supplier, { phone: second.phone })
  expect((await pressAtOnce(t, buyer, 2)).sold).toBe(0)
  await refundActivation(t.ctx.db, { activationId: second.id, at: t.clock.now() })
  expect((await pressAtOnce(t, buyer, 5)).sold).toBe(1)

  const dollars = await t.makeUser({ balance: '1000.00', currency: 'usd' })
  expect((await pressAtOnce(t, dollars, 10)).sold).toBe(10)
  t.clock.advance(24 * HOUR)
  const wanted = { serviceCode: 'tg', countryId: 2, operator: null } as const
  const purchase = { ...wanted, userId: buyer.id, currency: 'rub', channel: 'site' } as const
  const bought = await Promise.allSettled(Array.from({ length: 9 }, () => buyActivation(t.ctx, purchase)))
  expect(bought.filter(({ status }) => status === 'fulfilled')).toHaveLength(7)
  await expectBooksRight(t.ctx)
})

test('a program is told of limits in the words of handler_api', async () => {
  await using t = await startTestApp({ config: { maxOpenNumbers: 1 } })
  await t.addFake()
  const buyer = await t.makeUser()
  await buyOne(t, buyer)
  const key = await t.makeApiKey(buyer)
  const query = new URLSearchParams({ action: 'getNumber', api_key: key, service: 'tg', country: '2' })
  const reply = await t.fetch(`/stubs/handler_api.php?${query}`)
  expect([reply.status, await reply.text()]).toEqual([200, 'CHANNELS_LIMIT'])
})
