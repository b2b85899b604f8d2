import { expect, test } from 'vitest'
import { DAY, MINUTE } from '#contract/time.ts'
import { addNumbers } from '#server/adapters/shared/own-numbers/numbers.ts'
import { createSmppSupplier } from '#server/adapters/smpp/smpp-supplier.ts'
import { refreshOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import { reportNumberUnusable } from '#server/core/numbers/refunds/report-unusable.ts'
import { buyOne, count, expectBooksRight, moneyOf, pushSms } from '#test/builders/activation-rows.ts'
import { holdAccount, meetAtRow } from '#test/builders/held-row.ts'
import { addRenting, rentOne } from '#test/builders/rental-rows.ts'
import { bindGateway } from '#test/fakes/smpp/bound-gateway.ts'
import { refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { auditOf, typed, WHY } from '#test/harness/typed.ts'

const TELEGRAM = { service_id: 'tg', country_id: 2 }
const USED = 'POST /api/v1/activations/{id}/used'

async function sayUsed(t: TestApp, user: TestUser, id: number): Promise<string> {
  const reply = await t.fetch(`/api/v1/activations/${id}/used`, { method: 'POST', token: user.token })
  const body = (await reply.json()) as { code?: string; data: { state?: string } }
  return body.code ?? String(body.data.state)
}

async function buyAndSay(t: TestApp, user: TestUser, times: number): Promise<string[]> {
  const said: string[] = []
  for (let round = 0; round < times; round += 1) said.push(await sayUsed(t, user, (await buyOne(t, user)).id))
  return said
}

const countOf = (said: string[], word: string) => said.filter((one) => one === word).length

async function openRange(t: TestApp, size: number) {
  const supplier = await t.addReal(createSmppSupplier, {
    code: 'range',
    kind: 'smpp',
    settings: {
      mode: 'server',
      currency: 'rub',
      services: [{ code: 'tg', cost: '10' }],
      listen: { port: 0 },
      peers: [{ systemId: 'bank', password: 'secret' }],
    },
  })
  const phones = Array.from({ length: size }, (_, place) => String(77_050_000_001 + place))
  await addNumbers(
    t.ctx.db,
    supplier.id,
    phones.map((phone) => ({ phone, countryId: 2, operator: 'altel' })),
  )
  await bindGateway(t, supplier)
  return supplier
}

async function withKey(t: TestApp, user: TestUser): Promise<TestUser> {
  return { ...user, token: await t.makeApiKey(user) }
}

const stockOf = (t: TestApp) => count(t.ctx, `smpp_number_uses WHERE state = 'spent'`).then((spent) => 400 - spent)

// S-2: an attacker used to remove all 400 numbers from sale in 17 s, free of charge.
test('five loops of buying and "used" take no number from the others, and the limit holds among them', async () => {
  await using t = await startTestApp()
  await openRange(t, 400)
  const attacker = await t.makeUser({ balance: '5000' })
  const loops = (times: number) =>
    Promise.all(Array.from({ length: 5 }, () => buyAndSay(t, attacker, times))).then((said) => said.flat())
  const first = await loops(6)
  expect([countOf(first, 'used'), countOf(first, 'EARLY_CANCEL_DENIED')]).toEqual([10, 20])
  // A limit of 30 % of 90 purchases would allow 27 reports, but the limit of consecutive reports is lower.
  const second = await loops(12)
  expect([countOf(second, 'used'), countOf(second, 'EARLY_CANCEL_DENIED')]).toEqual([5, 55])
  await t.runJobs()
  expect([await count(t.ctx, 'burnt_numbers'), await stockOf(t)]).toEqual([0, 400])
  const other = await t.makeUser()
  await buyOne(t, other)
  const one = await buyOne(t, attacker)
  const told = await refused(t, USED, { id: one.id }, { token: attacker.token })
  expect(told).toMatchObject({ status: 409, retryAfter: '120', body: { data: { seconds: 120 } } })
  t.clock.advance(2 * MINUTE)
  expect(await sayUsed(t, attacker, one.id)).toBe('used')
  await expectBooksRight(t.ctx)
})

test('a day later, or after a code in between, a buyer is believed again', async () => {
  await using t = await startTestApp({ environment: { USED_FREE: '2', USED_FREE_PERCENT: '50', USED_IN_A_ROW: '3' } })
  const supplier = await t.addFake()
  const buyer = await withKey(t, await t.makeUser({ balance: '1000' }))
  expect(await buyAndSay(t, buyer, 3)).toEqual(['used', 'used', 'EARLY_CANCEL_DENIED'])
  await buyOne(t, buyer)
  await buyOne(t, buyer)
  expect(await buyAndSay(t, buyer, 1)).toEqual(['used'])
  const [coded] = await Promise.all(Array.from({ length: 8 }, () => buyOne(t, buyer)))
  expect(await buyAndSay(t, buyer, 1)).toEqual(['EARLY_CANCEL_DENIED'])
  t.clock.advance(1)
  await pushSms(t, supplier, { phone: coded?.phone ?? '' })
  expect(await buyAndSay(t, buyer, 4)).toEqual(['used', 'used', 'used', 'EARLY_CANCEL_DENIED'])
  t.clock.advance(DAY)
  expect(await buyAndSay(t, buyer, 3)).toEqual(['used', 'used', 'EARLY_CANCEL_DENIED'])
  await expectBooksRight(t.ctx)
})

test('two reports at the same moment, one of them free: one is believed', async () => {
  await using t = await startTestApp({ environment: { USED_FREE: '1', USED_FREE_PERCENT: '0' } })
  await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const [one, other] = [await buyOne(t, buyer), await buyOne(t, buyer)]
  const said = await meetAtRow({ connectionString: t.database.connectionString, id: buyer.id, hold: holdAccount }, [
    () => sayUsed(t, buyer, one.id),
    () => sayUsed(t, buyer, other.id),
  ])
  expect(said).toEqual([
    { status: 'fulfilled', value: 'used' },
    { status: 'fulfilled', value: 'EARLY_CANCEL_DENIED' },
  ])
  expect(await moneyOf(t, buyer)).toEqual({ balance: '87.00', held: '13.00' })
  await expectBooksRight(t.ctx)
})

test('six reports at once have the weight of six in turn: two accounts bar two numbers of a range, not six', async () => {
  await using t = await startTestApp()
  await openRange(t, 8)
  for (let round = 0; round < 2; round += 1) {
    const buyer = await t.makeUser({ balance: '100' })
    const bought = await Promise.all(Array.from({ length: 6 }, () => buyOne(t, buyer)))
    await using account = await holdAccount(t.database.connectionString, buyer.id)
    const said = Promise.all(bought.map(({ id }) => sayUsed(t, buyer, id)))
    await account.waiters(6)
    await account.release()
    expect(countOf(await said, 'used')).toBe(6)
    await t.runJobs()
    t.clock.advance(21 * MINUTE)
  }
  expect(await count(t.ctx, 'used_reports WHERE weighed')).toBe(4)
  expect(await count(t.ctx, 'burnt_numbers')).toBeLessThanOrEqual(2)
})

test('what a supplier takes back itself costs its buyer no weight', async () => {
  await using t = await startTestApp()
  const bad = await addRenting(t)
  const buyer = await t.makeUser({ balance: '1000' })
  for (let round = 0; round < 3; round += 1) {
    const activation = await buyOne(t, buyer)
    await reportNumberUnusable(t.ctx, { supplierId: bad.id, reference: `${activation.id}-1` })
    const rental = await rentOne(t, buyer)
    await reportNumberUnusable(t.ctx, { supplierId: bad.id, reference: `r${rental.id}-1` })
  }
  expect(await count(t.ctx, `activations WHERE state = 'used'`)).toBe(3)
  expect(await count(t.ctx, `rentals WHERE state = 'revoked'`)).toBe(3)
  expect(await buyAndSay(t, buyer, 3)).toEqual(['used', 'used', 'used'])
  expect(await count(t.ctx, 'used_reports WHERE NOT by_supplier AND weighed')).toBe(2)
})

test('"used" bars the number for its buyer at once, for all from the second account on or from one with 50 paid codes', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const [first, second, third, trusted] = await Promise.all(
    Array.from({ length: 4 }, async () => withKey(t, await t.makeUser({ balance: '1000' }))),
  )
  if (!first || !second || !third || !trusted) throw new Error('there are no buyers')
  const buy = async (user: TestUser, phone: string): Promise<number | string> => {
    supplier.onBuy = async (order) => ({ ...supplier.sell(order), phone })
    const headers = { 'content-type': 'application/json' }
    const reply = await t.fetch('/api/v1/activations', {
      method: 'POST',
      token: user.token,
      headers,
      body: JSON.stringify(TELEGRAM),
    })
    const { code, data } = (await reply.json()) as { code?: string; data: { id: number } }
    return code ?? data.id
  }
  const say = async (user: TestUser, phone: string) => sayUsed(t, user, Number(await buy(user, phone)))
  const [alpha, beta] = ['77050000001', '77050000002']
  const later = () => t.clock.advance(21 * MINUTE)

  expect(await say(first, alpha)).toBe('used')
  later()
  expect([await buy(first, alpha), await count(t.ctx, 'burnt_numbers')]).toEqual(['NO_NUMBERS', 0])
  expect(await say(second, alpha)).toBe('used')
  later()
  expect([await buy(third, alpha), await buy(second, alpha)]).toEqual(['NO_NUMBERS', 'NO_NUMBERS'])
  await t.runJobs()
  expect(supplier.ended.map(({ ending }) => ending).filter((ending) => ending === 'used')).toHaveLength(1)

  await t.ctx.db.query({
    text: `INSERT INTO activations (user_id, service_code, country_id, operator, state, money, price_micros, currency, supplier_id,
        phone, channel, created_at, expires_at, first_code_at, outcome_at, ended_at)
      SELECT $1, 'wa', 2, 'altel', 'finished', 'captured', 13000000, 'rub', $2, '7701' || n, 'site', $3, $3, $3, $3, $3
      FROM generate_series(1, 50) n`,
    values: [trusted.id, supplier.id, t.clock.now()],
  })
  expect(await say(trusted, beta)).toBe('used')
  later()
  expect(await buy(third, beta)).toBe('NO_NUMBERS')

  const restore = (...options: string[]) => typed(t.database, 'numbers:restore', ...options, ...WHY)
  expect(await restore()).toMatchObject({ code: 2 })
  expect(await restore('--user', 'nobody@example.test')).toMatchObject({ code: 1 })
  expect(await restore('--user', second.email)).toMatchObject({ code: 0, out: '1 numbers are back on sale.\n' })
  expect(await restore('--user', second.email)).toMatchObject({ code: 0, out: '0 numbers are back on sale.\n' })
  expect([await buy(third, beta), typeof (await buy(first, alpha))]).toEqual(['NO_NUMBERS', 'number'])
  await pushSms(t, supplier, { phone: alpha })
  later()
  await t.ctx.db.query({ text: `UPDATE used_reports SET lifted_at = NULL` })
  expect(await restore('--service', 'tg')).toMatchObject({
    code: 0,
    out: '1 numbers are back on sale. 1 had a code and stay off sale.\n',
  })
  expect([typeof (await buy(third, beta)), await buy(second, alpha)]).toEqual(['number', 'NO_NUMBERS'])
  const audit = await auditOf(t.ctx.db)
  expect(audit.map(({ command, subject }) => [command, subject])).toEqual([
    ['numbers:restore', `user:${second.id}`],
    ['numbers:restore', 'service:tg'],
  ])
})

test('numbers of an own range that were taken out by "used" are offered again after the command', async () => {
  await using t = await startTestApp()
  const supplier = await openRange(t, 1)
  const buyers = await Promise.all(Array.from({ length: 2 }, async () => withKey(t, await t.makeUser())))
  for (const buyer of buyers) {
    expect(await buyAndSay(t, buyer, 1)).toEqual(['used'])
    await t.runJobs()
    t.clock.advance(21 * MINUTE)
  }
  const stock = async () => (await supplier.listOffers(new AbortController().signal))[0]?.stock
  expect(await stock()).toBe(0)
  expect(await typed(t.database, 'numbers:restore', '--service', 'tg', ...WHY)).toMatchObject({ code: 0 })
  expect(await stock()).toBe(1)
  await refreshOffers(t.ctx, supplier)
  await buyOne(t, buyers[0] ?? (await t.makeUser()))
  await expectBooksRight(t.ctx)
})
