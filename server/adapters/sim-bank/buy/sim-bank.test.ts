import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { openTestPool } from '#test/books/books.ts'
import { buyOne, expectBooksRight, moneyOf } from '#test/builders/activation-rows.ts'
import { openBank } from '#test/fakes/sim-bank/open-bank.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { CLI_SECRET_KEY, typedIn, WHY } from '#test/harness/typed.ts'

const SUCCESS = { http: 200, said: '{"status":"SUCCESS"}' }

async function messagesOf(t: TestApp): Promise<string[]> {
  const { rows } = await t.ctx.db.query<{ line: string }>({
    text: `SELECT phone || ' ' || sender || ' ' || body || ' ' || given AS line FROM messages ORDER BY id`,
  })
  return rows.map(({ line }) => line)
}

test('a number of a SIM bank: bought, its code pushed, the end told until the bank says SUCCESS', async () => {
  await using t = await startTestApp()
  await using bank = await openBank(t)
  const buyer = await t.makeUser()
  const { id, phone } = await buyOne(t, buyer)
  expect(bank.house.asked.at(-1)).toEqual({
    action: 'GET_NUMBER',
    key: 'a-protocol-key-of-tests',
    country: 'kazakhstan',
    operator: 'altel',
    service: 'tg',
    sum: 5,
    currency: 643,
  })
  expect(await bank.push({ phone: Number(phone) })).toEqual(SUCCESS)
  expect(await messagesOf(t)).toEqual([`${phone} Telegram Telegram code: 48213 named`])
  await call(t, 'POST /api/v1/activations/{id}/finish', { id }, { token: buyer.token })
  bank.house.onAsk = (action) => (action === 'FINISH_ACTIVATION' ? { cut: true } : undefined)
  await t.runJobs()
  bank.house.onAsk = (action, _body, honest) => {
    if (action !== 'FINISH_ACTIVATION') return undefined
    honest()
    return { cut: true }
  }
  await t.hurryJobs()
  bank.house.onAsk = () => undefined
  await t.hurryJobs()
  await t.hurryJobs()
  expect(bank.house.sold.map(({ told }) => told)).toEqual([[3, 3]])
  expect(bank.house.complaints).toEqual([])
  await expectBooksRight(t.ctx)
})

test('OP-1: an advert or a closed notice of a bank costs nobody anything: the number waits, and ends there as cancelled', async () => {
  await using t = await startTestApp()
  await using bank = await openBank(t)
  const buyer = await t.makeUser({ balance: '100.00' })
  const { id, phone } = await buyOne(t, buyer)
  const texts = [
    { smsId: 1, phoneFrom: 'AD7', text: 'Win a prize today, call us now' },
    { smsId: 2, phoneFrom: 'Telegram', text: 'Telegram: new sign-in from Berlin' },
  ]
  for (const text of texts) expect(await bank.push({ phone: Number(phone), ...text })).toEqual(SUCCESS)
  await t.runJobs()
  expect(bank.house.sold.map(({ told }) => told)).toEqual([[]])
  t.clock.advance(2 * MINUTE)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id }, { token: buyer.token })
  await t.runJobs()
  expect(bank.house.sold.map(({ told }) => told)).toEqual([[4]])
  expect(await moneyOf(t, buyer)).toEqual({ balance: '100.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})

test('an order is looked up by our reference: sold, never asked for, and never bought after that', async () => {
  await using t = await startTestApp()
  await using bank = await openBank(t, { services: [{ code: 'tg', cost: '5', costByCountry: { 2: '6.50' } }] })
  const { supplier, house } = bank
  const { phone } = await buyOne(t, await t.makeUser())
  expect(house.asked.at(-1)?.sum).toBe(6.5)
  expect(await supplier.find('100000001-1', AbortSignal.timeout(1_000))).toEqual({
    outcome: 'bought',
    supplierReference: '355',
    phone,
    operator: 'altel',
    costMicros: 6_500_000n,
  })
  expect(await supplier.find('100000009-1', AbortSignal.timeout(1_000))).toEqual({ outcome: 'none' })
  const order = {
    reference: '100000009-1',
    buyerId: 1,
    serviceCode: 'tg',
    countryId: 2,
    operator: 'altel',
    currency: 'rub' as const,
    maxCostMicros: 6_500_000n,
    expiresAt: t.clock.now(),
  }
  await expect(supplier.buy(order, AbortSignal.timeout(1_000))).rejects.toThrow('was asked for before')
  const dear = { ...order, reference: '100000010-1', maxCostMicros: 6_499_999n }
  expect(await supplier.buy(dear, AbortSignal.timeout(1_000))).toMatchObject({ outcome: 'refused', reason: 'rejected' })
  expect(house.sold).toHaveLength(1)
})

test('supplier:add makes the address and the key of a bank, tells them once, and names what is wrong with settings', async () => {
  await using pool = await openTestPool()
  const environment = {
    DATABASE_URL: pool.connectionString,
    SECRET_KEY: CLI_SECRET_KEY,
    PUBLIC_URL: 'https://sms.test/',
  }
  const good = { url: 'https://bank.example/agent', currency: 'rub', services: [{ code: 'tg', cost: '9.50' }] }
  const add = (settings: object) =>
    typedIn(environment, 'supplier:add', 'sim-bank', '--code', 'bank', '--settings', JSON.stringify(settings), ...WHY)
  for (const [settings, says] of [
    [{ ...good, url: 'http://bank.example' }, 'url: must begin with https://'],
    [{ ...good, url: 'https://bank.example:8443/' }, 'url: must begin with https:// and name no other port'],
    [{ ...good, url: 'https://user:secret@bank.example/' }, 'url: must hold no fragment, name or password'],
    [{ ...good, services: [{ code: 'tg', cost: '9.505' }] }, 'services.0: a cost in rub has 2 decimals'],
    [{ ...good, services: [] }, 'services: '],
    [{ ...good, services: [{ code: 'zzz', cost: '1' }] }, 'There is no service zzz'],
    [{ ...good, key: 'with spaces in it' }, 'key: must be 8 to 200'],
    [{ ...good, anyOperator: 'any' }, 'anyOperator: must not be "any"'],
    [{ ...good, answerSeconds: 9 }, 'answerSeconds: '],
    [{ ...good, margin: 1 }, 'margin: there is no such setting'],
  ] as const) {
    expect(await add(settings), says).toMatchObject({ code: 1, err: expect.stringContaining(says) })
  }
  const { out } = await add({ ...good, currency: 'usd', services: [{ code: 'tg', cost: '0.0955' }] })
  const [, address = '', key = ''] =
    /(https:\/\/sms\.test\/intake\/bank\/[\w-]{32})\nKey of the protocol: ([\w-]{32})\n/.exec(out) ?? []
  expect([address, key].every((secret) => secret.length >= 32)).toBe(true)
  const shown = (await typedIn(environment, 'supplier:address', 'bank')).out
  for (const secret of [address, key]) expect(shown).toContain(secret)
  const { rows } = await pool.query({
    text: 'SELECT settings, (SELECT array_agg(detail) FROM audit_log) FROM suppliers',
  })
  expect(JSON.stringify(rows)).not.toContain(key)
})
