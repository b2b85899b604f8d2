import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { KIBIBYTE, MINUTE } from '#contract/time.ts'
import { refreshOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import { cancellableBefore } from '#server/core/numbers/activations/cancel.ts'
import { expectBooksRight, moneyOf, pushSms } from '#test/builders/activation-rows.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { openPlatformHouse, PLATFORM_KEY } from '#test/fakes/sim-bank/platform-house.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { carryOut } from './end-order.ts'
import { listToDo } from './queries/orders.ts'

const WANTED = { country: 'kazakhstan', operator: 'any', service: 'tg', sum: 20, currency: 643 }

async function openAgent(t: TestApp, input: { balance?: string; settings?: object } = {}) {
  const fake = await t.addFake('modems', [
    fakeOffer,
    { ...fakeOffer, operator: 'tele2', stock: 3 },
    { ...fakeOffer, countryId: 0 },
  ])
  const agent = await t.makeUser({ balance: input.balance ?? '1000' })
  await t.makeApiKey(agent)
  return { fake, agent, house: await openPlatformHouse(t, { agent, ...input.settings }) }
}

const stateOf = async (t: TestApp) => {
  const { rows } = await t.ctx.db.query<{ state: string }>({ text: 'SELECT state FROM activations ORDER BY id' })
  return rows.map(({ state }) => state)
}

test('GET_SERVICES counts what could be sold: at the platform’s sum, with the money there is, and nothing while it is paused', async () => {
  await using t = await startTestApp()
  const { house, fake } = await openAgent(t)
  await using _house = house
  const all = { altel: { tg: 76 }, tele2: { tg: 3 } }
  expect(await house.ask('GET_SERVICES')).toEqual({
    countryList: [{ country: 'kazakhstan', operatorMap: all }],
    status: 'SUCCESS',
  })
  fake.offers = [{ ...fakeOffer, stock: 2 }]
  await refreshOffers(t.ctx, fake)
  expect(await house.ask('GET_SERVICES')).toMatchObject({ countryList: [{ operatorMap: { altel: { tg: 2 } } }] })
  await typed(t.database, 'outlet:pause', 'hub', ...WHY)
  expect(await house.ask('GET_SERVICES')).toEqual({ countryList: [], status: 'SUCCESS' })
  expect(await house.ask('GET_NUMBER', WANTED)).toEqual({ status: 'NO_NUMBERS' })
  await typed(t.database, 'outlet:resume', 'hub', ...WHY)
  expect(await house.ask('GET_NUMBER', WANTED)).toMatchObject({ status: 'SUCCESS' })
})

test('GET_SERVICES survives an operator that a supplier names like a member of Object', async () => {
  await using t = await startTestApp()
  await t.addFake('modems', [fakeOffer, { ...fakeOffer, operator: '__proto__', stock: 3 }])
  const agent = await t.makeUser({ balance: '1000' })
  await t.makeApiKey(agent)
  await using house = await openPlatformHouse(t, { agent })
  const said = JSON.stringify(await house.ask('GET_SERVICES'))
  expect(said).toContain('"__proto__":{"tg":3}')
})

test('GET_NUMBER is a purchase of the account: its price, prefixes, operator, balance and the limit of its key hold', async () => {
  await using t = await startTestApp()
  const { house, fake, agent } = await openAgent(t)
  await using _house = house
  await t.ctx.db.query({ text: 'UPDATE api_keys SET day_limit_micros = 27000000' })
  for (const [change, answer] of [
    [{ sum: 12.99 }, { status: 'NO_NUMBERS' }],
    [{ service: 'wa' }, { status: 'NO_NUMBERS' }],
    [{ country: 'atlantis' }, { status: 'NO_NUMBERS' }],
    [{ operator: 'beeline' }, { status: 'NO_NUMBERS' }],
    [{ exceptionPhoneSet: ['7705'] }, { status: 'NO_NUMBERS' }],
    [{ currency: 840 }, { status: 'ERROR', error: 'BAD_CURRENCY: 643 is sold here' }],
    [{ sum: '20' }, { status: 'ERROR', error: 'BAD_DATA: sum' }],
    [{ sum: 1e-9 }, { status: 'ERROR', error: 'BAD_DATA: sum' }],
    [
      { sum: -1, country: 7 },
      { status: 'ERROR', error: 'BAD_DATA: country, sum' },
    ],
    [{ exceptionPhoneSet: Array(101).fill('7') }, { status: 'ERROR', error: 'BAD_DATA: exceptionPhoneSet' }],
  ]) {
    expect(await house.ask('GET_NUMBER', { ...WANTED, ...change }), JSON.stringify(change)).toEqual(answer)
  }
  expect(await moneyOf(t, agent)).toEqual({ balance: '1000.00', held: '0.00' })
  const one = await house.ask('GET_NUMBER', { ...WANTED, operator: 'tele2' })
  expect(one).toEqual({ number: expect.any(Number), activationId: expect.any(Number), status: 'SUCCESS' })
  expect(fake.orders.at(-1)?.operator).toBe('tele2')
  expect(await house.ask('GET_NUMBER', { ...WANTED, country: 'Kazakhstan' })).toMatchObject({ status: 'SUCCESS' })
  expect(await house.ask('GET_NUMBER', WANTED)).toEqual({ status: 'NO_NUMBERS' })
  expect(await moneyOf(t, agent)).toEqual({ balance: '974.00', held: '26.00' })
  const { rows } = await t.ctx.db.query({ text: `SELECT DISTINCT channel FROM activations WHERE state = 'waiting'` })
  expect(rows).toEqual([{ channel: 'agent' }])
})

test('FINISH_ACTIVATION is answered with SUCCESS however often it comes; its first word counts, and only the platform’s own', async () => {
  await using t = await startTestApp()
  const { house, fake, agent } = await openAgent(t)
  await using _house = house
  await using other = await openPlatformHouse(t, { agent, code: 'other' })
  const take = async () => await house.ask('GET_NUMBER', WANTED)
  const [sold, unsold, used, late] = [await take(), await take(), await take(), await take()]
  for (const { number } of [sold, late]) await pushSms(t, fake, { phone: String(number) })
  const finish = (of: Record<string, unknown>, status: unknown, by = house) =>
    by.ask('FINISH_ACTIVATION', { activationId: of.activationId, status })
  expect(await finish(sold, 3, other)).toEqual({ status: 'ERROR', error: 'NO_ACTIVATION' })
  expect(await finish({ activationId: 7 }, 3)).toEqual({ status: 'ERROR', error: 'NO_ACTIVATION' })
  expect(await finish(sold, 2)).toEqual({ status: 'ERROR', error: 'BAD_DATA: status' })
  expect(await finish({ activationId: 'x' }, 3)).toEqual({ status: 'ERROR', error: 'BAD_DATA: activationId' })
  for (const [of, status] of [
    [sold, 3],
    [sold, 3],
    [sold, 4],
    [sold, 5],
    [unsold, 3],
    [used, 1],
    [late, 4],
  ] as const) {
    expect(await finish(of, status)).toEqual({ status: 'SUCCESS' })
  }
  // A number without a code cannot be cancelled in its first minutes, but one reported as used ends at once.
  expect(await stateOf(t)).toEqual(['finished', 'waiting', 'used', 'finished'])
  // The order is not listed before it can be cancelled, so it delays no other order.
  const todo = { activationId: null, cancellableBefore: cancellableBefore(t.ctx, t.clock.now()), limit: 9 }
  expect(await listToDo(t.ctx.db, todo)).toEqual([])
  t.clock.advance(2 * MINUTE)
  await carryOut(t.ctx)
  expect(await stateOf(t)).toEqual(['finished', 'cancelled', 'used', 'finished'])
  expect(await moneyOf(t, agent)).toEqual({ balance: '974.00', held: '0.00' })
  const { rows } = await t.ctx.db.query<{ line: string }>({
    text: `SELECT told || ' ' || carried_out || ' ' || (refunded_at IS NOT NULL) AS line FROM outlet_orders ORDER BY activation_id`,
  })
  expect(rows.map(({ line }) => line)).toEqual(['3 true true', '3 true false', '1 true false', '4 true false'])
  await expectBooksRight(t.ctx)
})

test('a number that comes too late for the platform is given back, as if it had said so', async () => {
  await using t = await startTestApp()
  const { house, fake, agent } = await openAgent(t, { settings: { answerSeconds: 0.1 } })
  await using _house = house
  const slow = Promise.withResolvers<void>()
  fake.onBuy = async (order) => {
    await slow.promise
    return fake.sell(order)
  }
  const body = JSON.stringify({ action: 'GET_NUMBER', key: PLATFORM_KEY, ...WANTED })
  const reply = await t.fetch('/agent/hub', { method: 'POST', body })
  expect(await reply.json()).toEqual({ status: 'NO_NUMBERS' })
  slow.resolve()
  await t.ctx.background.idle()
  expect(await stateOf(t)).toEqual(['waiting'])
  t.clock.advance(2 * MINUTE)
  await carryOut(t.ctx)
  expect(await stateOf(t)).toEqual(['cancelled'])
  expect(await moneyOf(t, agent)).toEqual({ balance: '1000.00', held: '0.00' })
})

test('the door: a wrong key, an unknown outlet and a key that may not buy are told alike, and floods lock out nobody else', async () => {
  await using t = await startTestApp()
  const { house } = await openAgent(t)
  await using _house = house
  const post = async (path: string, body: string | Buffer, headers: Record<string, string> = {}) => {
    const reply = await t.fetch(path, { method: 'POST', body: Buffer.from(body), headers })
    return { http: reply.status, said: await reply.text() }
  }
  const whole = (fields: object) => JSON.stringify({ action: 'GET_SERVICES', key: PLATFORM_KEY, ...fields })
  const badKey = { http: 403, said: '{"status":"ERROR","error":"BAD_KEY"}' }
  const badData = { http: 400, said: '{"status":"ERROR","error":"BAD_DATA"}' }
  expect(await post('/agent/hub', whole({ key: 'wrong' }))).toEqual(badKey)
  expect(await post('/agent/nobody', whole({}))).toEqual(badKey)
  expect(await post('/agent/%00', whole({}))).toEqual(badKey)
  for (const body of ['', '[]', 'x', '{"action":']) expect(await post('/agent/hub', body)).toEqual(badData)
  const packed = { 'content-encoding': 'gzip' }
  expect(await post('/agent/hub', gzipSync(Buffer.alloc(17 * KIBIBYTE)), packed)).toEqual(badData)
  expect((await post('/agent/hub', 'x'.repeat(17 * KIBIBYTE))).http).toBe(413)
  expect((await post('/agent/hub', gzipSync(whole({ action: 'x' })), packed)).said).toBe(
    '{"status":"ERROR","error":"BAD_ACTION"}',
  )
  expect((await t.fetch('/agent/hub')).status).toBe(404)
  for (const spoil of [
    `scopes = '{read}'`,
    `scopes = '{buy}', addresses = '{10.0.0.0/8}'`,
    `addresses = '{}', revoked_at = now()`,
  ]) {
    await t.ctx.db.query({ text: `UPDATE api_keys SET ${spoil}` })
    expect(await post('/agent/hub', whole({}))).toEqual(badKey)
  }
  await t.ctx.db.query({ text: 'UPDATE api_keys SET revoked_at = NULL' })
  const answers = new Set<number>()
  for (let tries = 0; tries < 40; tries += 1) answers.add((await post('/agent/hub', whole({ key: 'wrong' }))).http)
  expect([...answers]).toEqual([403, 429])
  expect((await post('/agent/hub', whole({}))).http).toBe(200)
  const own = new Set<number>()
  for (let tries = 0; tries < 12; tries += 1) own.add((await post('/agent/hub', whole({}))).http)
  expect([...own]).toEqual([200, 429])
  t.clock.advance(MINUTE)
  await t.ctx.db.query({ text: 'DELETE FROM api_keys' })
  expect((await post('/agent/hub', whole({}))).http).not.toBe(200)
})

test('during maintenance a platform is sold nothing, and what it says is to be repeated', async () => {
  await using t = await startTestApp({ config: { maintenanceMessage: 'Back at noon' } })
  const { house } = await openAgent(t)
  await using _house = house
  for (const action of ['GET_SERVICES', 'GET_NUMBER', 'FINISH_ACTIVATION']) {
    const said = await house.ask(action, WANTED)
    expect([action, said]).toEqual([action, { http: 503, status: 'ERROR', error: 'MAINTENANCE' }])
  }
  const reply = await t.fetch('/agent/hub', { method: 'POST', body: '{}' })
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '60'])
  expect(await stateOf(t)).toEqual([])
})

test('settings are opened once, so that a wrong key costs little, and a change of them holds at once', async () => {
  await using t = await startTestApp()
  const { house } = await openAgent(t)
  await using _house = house
  const wrong = { key: 'wrong' }
  expect(await house.ask('GET_SERVICES', wrong)).toMatchObject({ http: 403 })
  const { secretKey } = t.ctx.secrets
  // A cache miss would fail, because the settings cannot be decrypted with another secret.
  Object.assign(t.ctx.secrets, { secretKey: 'another secret of tests, long enough' })
  expect(await house.ask('GET_SERVICES', wrong)).toMatchObject({ http: 403 })
  Object.assign(t.ctx.secrets, { secretKey })
  expect(await house.ask('GET_SERVICES')).toMatchObject({ status: 'SUCCESS' })
  expect(await typed(t.database, 'outlet:set', 'hub', 'key=a-new-key-of-it', ...WHY)).toMatchObject({ code: 0 })
  expect(await house.ask('GET_SERVICES')).toMatchObject({ http: 403 })
  expect(await house.ask('GET_SERVICES', { key: 'a-new-key-of-it' })).toMatchObject({ status: 'SUCCESS' })
})

test('outlet:add refuses what would never sell, and shows no secret', async () => {
  await using t = await startTestApp()
  const agent = await t.makeUser()
  await t.makeApiKey(agent)
  const services = [{ code: 'tg', sum: '20' }]
  const add = (settings: object, key = '1') =>
    typed(
      t.database,
      'outlet:add',
      'agent',
      '--code',
      'hub',
      '--key',
      key,
      '--settings',
      JSON.stringify(settings),
      ...WHY,
    )
  const good = { url: 'https://platform.example/sms', key: PLATFORM_KEY, services }
  for (const [settings, says] of [
    [{ ...good, url: 'http://platform.example/sms' }, 'url: must begin with https://'],
    [{ ...good, key: 'short' }, 'key: must be 8 to 200'],
    [{ ...good, services: [{ code: 'zzz', sum: '1' }] }, 'There is no service zzz'],
    [{ ...good, services: [{ code: 'tg', sum: '-1' }] }, 'services.0.sum: must be an amount'],
    [{ ...good, margin: 5 }, 'margin: there is no such setting'],
  ] as const) {
    const { code, err } = await add(settings)
    expect([code, err]).toEqual([1, expect.stringContaining(says)])
    expect(err).not.toContain(PLATFORM_KEY)
  }
  expect((await add(good, '99')).err).toContain('There is no API key 99 of scope buy')
  expect(await add(good)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/calls https?:\/\/\S+\/agent\/hub, with its key/),
  })
  expect((await add(good)).err).toContain('already an outlet hub')
  const { rows } = await t.ctx.db.query({
    text: 'SELECT settings, (SELECT array_agg(detail) FROM audit_log) FROM outlets',
  })
  expect(JSON.stringify(rows)).not.toContain(PLATFORM_KEY)
})
