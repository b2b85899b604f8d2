import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '#contract/time.ts'
import { buyWaiting } from '#server/core/numbers/preorders/buy-waiting.ts'
import { listOpen } from '#server/core/numbers/preorders/queries/read.ts'
import { refundActivation } from '#server/house/money/refund.ts'
import { pushSms } from '#test/builders/activation-rows.ts'
import { addRenting } from '#test/builders/rental-rows.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, refused, send } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'

const BUY = 'POST /api/v1/activations'
const TELEGRAM = { service_id: 'tg', country_id: 2 }

async function makeKey(t: TestApp, user: TestUser, dayLimit?: string) {
  const limit = dayLimit === undefined ? {} : { day_limit: dayLimit }
  const made = await call(t, 'POST /api/v1/keys', { name: 'Shop', scopes: ['read', 'buy'], ...limit }, user)
  return { id: made.data.id, token: made.secret }
}
const spentOf = async (t: TestApp, user: TestUser, id: number) =>
  (await call(t, 'GET /api/v1/keys', {}, await beginTestSession(t.ctx, user.id))).data.find((key) => key.id === id)
    ?.spent_today

async function setUp(balance = '1000') {
  const t = await startTestApp({ config: { maxOpenNumbers: null } })
  const supplier = await t.addFake('one', [fakeOffer])
  return { t, supplier, user: await t.makeUser({ balance }) }
}

// P-5: the statement that holds the money enforces the limit, so parallel purchases cannot exceed it.
test('P-5: of twenty purchases at once a key makes as many as its day allows, and its owner goes on buying', async () => {
  const { t, user } = await setUp()
  await using _app = t
  const key = await makeKey(t, user, '65')
  const replies = await Promise.all(Array.from({ length: 20 }, () => send(t, BUY, TELEGRAM, key)))
  const codes = replies.map(({ response, body }) => (response.ok ? 'OK' : (body as { code: string }).code))
  expect(codes.filter((code) => code === 'OK')).toHaveLength(5)
  expect(new Set(codes)).toEqual(new Set(['OK', 'SPEND_LIMIT_REACHED']))
  expect(await spentOf(t, user, key.id)).toBe('65.00')
  const { status, body } = await refused(t, BUY, TELEGRAM, { ...key, locale: 'en' })
  expect([status, body.code, body.data]).toEqual([409, 'SPEND_LIMIT_REACHED', { limit: '65.00', spent: '65.00' }])
  expect(body.message).toContain('API key')
  const query = new URLSearchParams({ action: 'getNumber', service: 'tg', country: '2', api_key: key.token })
  expect(await (await t.fetch(`/stubs/handler_api.php?${query}`)).text()).toBe('CHANNELS_LIMIT')
  const { data: calls } = await call(t, 'GET /api/v1/keys/{id}/calls', { id: key.id }, user)
  const refusals = calls.filter(({ result }) => result !== 'OK').map(({ call: name, result }) => [name, result])
  expect(refusals.sort()).toEqual([
    [BUY, 'KEY_DAY_LIMIT'],
    ['getNumber', 'KEY_DAY_LIMIT'],
  ])
  await call(t, BUY, TELEGRAM, user)
  await call(t, BUY, TELEGRAM, await makeKey(t, user))

  t.clock.advance(2 * MINUTE)
  const list = await call(t, 'GET /api/user/active-numbers', {}, key)
  const own = list.numbers.data.at(-1)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id: own?.id ?? 0 }, key)
  expect(await spentOf(t, user, key.id)).toBe('52.00')
  const [next] = (await call(t, 'GET /api/user/active-numbers', {}, key)).numbers.data.slice(-1)
  await call(t, 'POST /api/v1/activations/{id}/replace', { id: next?.id ?? 0 }, key)
  expect(await spentOf(t, user, key.id)).toBe('52.00')
  await call(t, BUY, TELEGRAM, key)
  expect((await refused(t, BUY, TELEGRAM, key)).body.code).toBe('SPEND_LIMIT_REACHED')
  t.clock.advance(12 * HOUR)
  expect(await spentOf(t, user, key.id)).toBe('0.00')
  await call(t, BUY, TELEGRAM, key)
})

test('what staff gave back is left to spend again, a changed limit counts at once, and the refusal says what is left', async () => {
  const { t, supplier, user } = await setUp()
  await using _app = t
  const key = await makeKey(t, user, '30')
  const session = await beginTestSession(t.ctx, user.id)
  const own = async () =>
    (await call(t, 'GET /api/v1/keys', {}, await beginTestSession(t.ctx, user.id))).data.find(({ id }) => id === key.id)
  const bought = (await call(t, BUY, TELEGRAM, key)).data
  await call(t, BUY, TELEGRAM, key)
  const { body } = await refused(t, BUY, TELEGRAM, { ...key, locale: 'en' })
  expect(body.message).toContain('can spend 30.00 a day (UTC). It has already spent 26.00')
  expect(await own()).toMatchObject({ spent_today: '26.00', left_today: '4.00' })
  await call(t, 'PATCH /api/v1/keys/{id}', { id: key.id, day_limit: '20' }, session)
  expect(await own()).toMatchObject({ spent_today: '26.00', left_today: '0.00' })
  await call(t, 'PATCH /api/v1/keys/{id}', { id: key.id, day_limit: '30' }, session)

  await pushSms(t, supplier, { phone: bought.phone ?? '' })
  await refundActivation(t.ctx.db, { activationId: BigInt(bought.id), at: t.clock.now() })
  expect(await own()).toMatchObject({ spent_today: '13.00', left_today: '17.00' })
  await call(t, BUY, TELEGRAM, key)
  expect((await refused(t, BUY, TELEGRAM, key)).body.code).toBe('SPEND_LIMIT_REACHED')
  t.clock.advance(new Date((await own())?.day_ends_at ?? '').getTime() - t.clock.now().getTime())
  expect(await own()).toMatchObject({ spent_today: '0.00', left_today: '30.00' })
})

test('a pre-order counts with its ceiling on the day it is made, and with its price once it has bought', async () => {
  const { t, user } = await setUp()
  await using _app = t
  const key = await makeKey(t, user, '60')
  const wish = { ...TELEGRAM, max_price: '40', hours: 24 }
  await call(t, 'POST /api/v1/preorders', wish, key)
  expect(await spentOf(t, user, key.id)).toBe('40.00')
  expect((await refused(t, 'POST /api/v1/preorders', wish, key)).body.code).toBe('SPEND_LIMIT_REACHED')
  await call(t, BUY, TELEGRAM, key)
  expect((await refused(t, BUY, TELEGRAM, key)).body.code).toBe('SPEND_LIMIT_REACHED')
  const [row] = await listOpen(t.ctx.db, user.id)
  if (row === undefined) throw new Error('there is no pre-order')
  expect(await buyWaiting(t.ctx, row)).toBe('bought')
  expect(await spentOf(t, user, key.id)).toBe('26.00')
  await call(t, BUY, TELEGRAM, key)
})

test('rentals and their extensions count against the day of the key', async () => {
  await using t = await startTestApp()
  await addRenting(t)
  const user = await t.makeUser({ balance: '1000' })
  const key = await makeKey(t, user, '200')
  const RENT = { service_id: 'full', country_id: 2, period: 24 }
  const rented = await call(t, 'POST /api/v1/rentals', RENT, key)
  expect((await refused(t, 'POST /api/v1/rentals', RENT, key)).body.code).toBe('SPEND_LIMIT_REACHED')
  const extend = (period: number) =>
    send(t, 'POST /api/v1/rentals/{id}/extend', { id: rented.data.id, period }, key).then(({ body }) => body)
  expect(await extend(24)).toMatchObject({ code: 'SPEND_LIMIT_REACHED' })
  expect(await extend(4)).toMatchObject({ status: true })
  expect(await spentOf(t, user, key.id)).toBe('182.00')
})

test('a purchase that was let in before its key was revoked holds nothing after', async () => {
  const { t, user } = await setUp('100')
  await using _app = t
  const key = await makeKey(t, user)
  const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>()
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>()
  const query = t.ctx.db.query.bind(t.ctx.db)
  t.ctx.db.query = async (given) => {
    if (given.name === 'activation-reserve') {
      asked()
      await mayGoOn
    }
    return query(given)
  }
  const buying = refused(t, BUY, TELEGRAM, key)
  await isAsked
  await call(t, 'DELETE /api/v1/keys/{id}', { id: key.id }, user)
  goOn()
  expect((await buying).status).toBe(401)
  t.ctx.db.query = query
  expect((await call(t, 'GET /api/user', {}, user)).balance).toBe('100.00')
})

test('what support gives back is given back to the day of the key that bought it', async () => {
  await using t = await startTestApp({ config: { maxOpenNumbers: null } })
  const supplier = await addRenting(t)
  const user = await t.makeUser({ balance: '1000' })
  const key = await makeKey(t, user, '160')
  const { data: bought } = await call(t, BUY, TELEGRAM, key)
  await pushSms(t, supplier, { phone: bought.phone ?? '' })
  const { data: rented } = await call(t, 'POST /api/v1/rentals', { service_id: 'full', country_id: 2, period: 24 }, key)
  await pushSms(t, supplier, { phone: rented.phone ?? '' })
  expect(await spentOf(t, user, key.id)).toBe('143.00')
  const rent = { service_id: 'full', country_id: 2, period: 24 }
  expect((await refused(t, 'POST /api/v1/rentals', rent, key)).body.code).toBe('SPEND_LIMIT_REACHED')
  await typed(t.database, 'order:refund', String(bought.id), ...WHY)
  expect(await spentOf(t, user, key.id)).toBe('130.00')
  await typed(t.database, 'order:refund', `rental:${rented.id}`, ...WHY)
  expect(await spentOf(t, user, key.id)).toBe('0.00')
  await call(t, 'POST /api/v1/rentals', rent, key)
})
