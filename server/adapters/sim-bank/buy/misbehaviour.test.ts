import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { refreshOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import { expectBooksRight, moneyOf } from '#test/builders/activation-rows.ts'
import { BANK_KEY, type BankHouse } from '#test/fakes/sim-bank/bank-house.ts'
import { openBank } from '#test/fakes/sim-bank/open-bank.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

const wish = { service_id: 'tg', country_id: 2 }
const buy = (t: TestApp, buyer: TestUser, service_id = 'tg') =>
  call(t, 'POST /api/v1/activations', { ...wish, service_id }, { token: buyer.token })

async function expectNone(t: TestApp, buyer: TestUser, service_id = 'tg'): Promise<void> {
  const { body } = await refused(t, 'POST /api/v1/activations', { ...wish, service_id }, { token: buyer.token })
  expect(body).toMatchObject({ code: 'NO_NUMBERS' })
}

async function ordersOf(t: TestApp): Promise<string[]> {
  const { rows } = await t.ctx.db.query<{ line: string }>({
    text: `SELECT reference || ' ' || state || COALESCE(' ' || phone, '') || COALESCE(' ' || told, '') AS line
      FROM sim_bank_orders ORDER BY asked_at, reference`,
  })
  return rows.map(({ line }) => line)
}

/** Makes the fake bank answer the next GET_NUMBER with `answer`, without a sale. */
function answerOnce(house: BankHouse, answer: Answer): void {
  house.onAsk = (action) => {
    if (action !== 'GET_NUMBER') return undefined
    house.onAsk = () => undefined
    return answer
  }
}

type Answer = Awaited<ReturnType<BankHouse['onAsk']>>
const ANSWERS: [answer: Answer, state: 'refused' | 'lost'][] = [
  [{ status: 'ERROR', error: 'busy' }, 'refused'],
  [{ status: 'NO_NUMBERS' }, 'refused'],
  [{ httpStatus: 200, text: '<html>' }, 'lost'],
  [{ httpStatus: 502, text: '<html>' }, 'lost'],
  [{ httpStatus: 500, text: '{"number":77010000001,"activationId":1,"status":"SUCCESS"}' }, 'lost'],
  [{ httpStatus: 500, text: '{"status":"ERROR","error":"BAD_KEY"}' }, 'lost'],
  [{ httpStatus: 408, text: '{"status":"NO_NUMBERS"}' }, 'lost'],
  [{ httpStatus: 403, text: '{"status":"ERROR","error":"BAD_KEY"}' }, 'refused'],
  [{ cut: true }, 'lost'],
  ['{"number":7701', 'lost'],
  [{ status: 'MAYBE', number: 77010000001, activationId: 1 }, 'lost'],
  [{ number: 77010000001, status: 'SUCCESS' }, 'lost'],
  // The reply 429 is last, because we send the bank no calls for some seconds after it.
  [{ httpStatus: 429, text: 'slow down' }, 'refused'],
]

/** Five consecutive calls without an answer stop a supplier, so the test gives the answers in two parts. */
const HALVES = [ANSWERS.slice(0, 6), ANSWERS.slice(6)]

test.each(HALVES)(
  'whatever GET_NUMBER is answered with: nothing is charged, and no order is asked for twice (%#)',
  async (...answers) => {
    await using t = await startTestApp()
    await using bank = await openBank(t)
    const buyer = await t.makeUser()
    for (const [answer] of answers) {
      answerOnce(bank.house, answer)
      await expectNone(t, buyer)
      await refreshOffers(t.ctx, bank.supplier)
    }
    await t.hurryJobs()
    await t.hurryJobs()
    expect(await ordersOf(t)).toEqual(answers.map(([, state], place) => `${100000001 + place}-1 ${state}`))
    expect(bank.house.asked.filter(({ action }) => action === 'GET_NUMBER')).toHaveLength(answers.length)
    expect(await moneyOf(t, buyer)).toEqual({ balance: '100.00', held: '0.00' })
    await expectBooksRight(t.ctx)
  },
)

test('an answer that comes too late is still read, and its number given back', async () => {
  await using t = await startTestApp()
  await using bank = await openBank(t, { answerSeconds: 0.1 })
  const buyer = await t.makeUser()
  const late = Promise.withResolvers<void>()
  bank.house.onAsk = async (action) => {
    if (action === 'GET_NUMBER') await late.promise
    return undefined
  }
  await expectNone(t, buyer)
  await t.runJobs()
  expect(await ordersOf(t)).toEqual(['100000001-1 asking'])
  late.resolve()
  await expect.poll(() => ordersOf(t)).toEqual(['100000001-1 sold 77010000001'])
  await t.hurryJobs()
  expect(await ordersOf(t)).toEqual(['100000001-1 ended 77010000001 4'])
  expect(bank.house.sold.map(({ told }) => told)).toEqual([[4]])
})

test('the number of a lost answer is closed once messages come to it, and its code is nobody’s', async () => {
  await using t = await startTestApp()
  await using bank = await openBank(t)
  const buyer = await t.makeUser()
  bank.house.onAsk = (action, _body, honest) => {
    if (action !== 'GET_NUMBER') return undefined
    honest()
    return { cut: true }
  }
  await expectNone(t, buyer)
  await t.hurryJobs()
  const [lost] = bank.house.sold
  await bank.push({ phone: lost?.number })
  // The bank considers the lost number free again and gives it for another service.
  bank.house.free.unshift(lost?.number ?? 0)
  bank.house.onAsk = () => undefined
  await expectNone(t, buyer, 'wa')
  await t.hurryJobs()
  expect(bank.house.sold.at(-1)).toMatchObject({ number: lost?.number, told: [4] })
  expect((await buy(t, buyer, 'wa')).data.phone).not.toBe(String(lost?.number))
  const { rows } = await t.ctx.db.query({ text: 'SELECT given, activation_id FROM messages' })
  expect(rows).toEqual([{ given: 'unmatched', activation_id: null }])
  const lines = await bank.supplier.test?.()
  expect(lines?.map(({ what, works }) => `${what} ${works}`)).toEqual([
    'GET_SERVICES true',
    'PUSH_SMS true',
    'key of PUSH_SMS true',
    'lost answers false',
  ])
})

test('a number of another country, of none, or that is none is not sold, and given back', async () => {
  await using t = await startTestApp()
  await using bank = await openBank(t)
  const buyer = await t.makeUser()
  for (const [place, number] of [380501234567, 9261234567, 'soon'].entries()) {
    const activationId = 9 + place
    answerOnce(bank.house, { number, activationId, status: 'SUCCESS' })
    bank.house.sold.push({ activationId, number: 0, service: 'tg', told: [] })
    await expectNone(t, buyer)
  }
  await t.hurryJobs()
  expect(bank.house.sold.map((sold) => sold.told)).toEqual([[4], [4], [4]])
})

test('one activation sold twice stays with the first order; one number sold twice goes back', async () => {
  await using t = await startTestApp()
  await using bank = await openBank(t)
  const [first, second] = [await t.makeUser(), await t.makeUser()]
  const { data } = await buy(t, first)
  const sold = { number: Number(data.phone), activationId: 355, status: 'SUCCESS' }
  answerOnce(bank.house, sold)
  await expectNone(t, second)
  await t.hurryJobs()
  expect(bank.house.sold.map(({ told }) => told)).toEqual([[]])
  bank.house.free.unshift(sold.number)
  await expectNone(t, second)
  await t.hurryJobs()
  expect(bank.house.sold.map(({ told }) => told)).toEqual([[], [4]])
  expect(await moneyOf(t, second)).toEqual({ balance: '100.00', held: '0.00' })
})

test('O-2: a bank that does not answer is down: it offers nothing until it answers again', async () => {
  await using t = await startTestApp()
  await using bank = await openBank(t, { retrySeconds: 0.05 })
  const stock = () => catalogOf(t.ctx).pair('tg', 2)?.count ?? 0
  expect(stock()).toBe(3)
  bank.house.onAsk = () => ({ httpStatus: 200, text: 'garbage' })
  await refreshOffers(t.ctx, bank.supplier)
  expect(stock()).toBe(3)
  for (const _time of [1, 2]) await refreshOffers(t.ctx, bank.supplier)
  expect([bank.supplier.link?.(), stock()]).toMatchObject([
    { up: false, why: expect.stringMatching(/^3 calls in a row had no answer, the last one: GET_SERVICES: /) },
    0,
  ])
  bank.house.onAsk = () => undefined
  await expect.poll(stock).toBe(3)
  bank.house.onAsk = () => ({ countryList: 'none', status: 'SUCCESS' })
  await refreshOffers(t.ctx, bank.supplier)
  expect(stock()).toBe(3)
  const operatorMap = { any: { tg: 9, zz: 4 }, altel: { tg: 2, wa: '3' }, tele2: { tg: -1 } }
  const countryList = [
    { country: 'Kazakhstan', operatorMap },
    { country: 'atlantis', operatorMap },
  ]
  bank.house.onAsk = () => ({ countryList, status: 'SUCCESS' })
  await refreshOffers(t.ctx, bank.supplier)
  expect([stock(), catalogOf(t.ctx).pair('wa', 2)]).toEqual([2, undefined])
})

test('what a bank declares three times over and does not give is not offered for half an hour', async () => {
  await using t = await startTestApp()
  await using bank = await openBank(t)
  const buyer = await t.makeUser()
  const stock = () => catalogOf(t.ctx).pair('tg', 2)?.count ?? 0
  bank.house.onAsk = (action) => (action === 'GET_NUMBER' ? { status: 'NO_NUMBERS' } : undefined)
  for (const _list of [1, 2, 3]) {
    // Repeated refusals after the same stock list count only once.
    for (const _time of [1, 2]) await expectNone(t, buyer)
    expect(stock()).toBe(3)
    await refreshOffers(t.ctx, bank.supplier)
  }
  expect([stock(), catalogOf(t.ctx).pair('wa', 2)?.count]).toEqual([0, 3])
  t.clock.advance(30 * MINUTE)
  await refreshOffers(t.ctx, bank.supplier)
  expect(stock()).toBe(3)
})

test('F-3: a bank that echoes the key and changes its words tells neither the key nor more than ten reasons', async () => {
  await using t = await startTestApp()
  await using bank = await openBank(t, { retrySeconds: 0.05 })
  let asked = 0
  bank.house.onAsk = () => {
    asked += 1
    return { httpStatus: 500, text: JSON.stringify({ status: `ERROR ${asked} of ${BANK_KEY} ${'x'.repeat(5_000)}` }) }
  }
  for (const _time of [1, 2, 3]) await refreshOffers(t.ctx, bank.supplier)
  await expect.poll(() => asked, { timeout: 10_000 }).toBeGreaterThan(20)
  await t.ctx.background.idle()
  const { rows } = await t.ctx.db.query<{ reason: string; kind: string }>({
    text: `SELECT reason, kind FROM supplier_events WHERE reason IS NOT NULL`,
  })
  const told = rows.map(({ reason }) => reason)
  expect(told.filter((reason) => reason.includes('ERROR')).length).toBeGreaterThan(0)
  expect(rows.filter(({ kind }) => kind === 'link-down').length).toBeLessThanOrEqual(10)
  expect(told.join()).not.toContain(BANK_KEY)
  expect(Math.max(...told.map((reason) => reason.length))).toBeLessThan(500)
})
