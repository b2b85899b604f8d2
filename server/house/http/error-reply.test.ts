import { expect, test } from 'vitest'
import type { CallKey } from '#contract/calls/calls.ts'
import {
  ACCOUNT_ERRORS,
  ERRORS,
  type ErrorReply,
  PAYMENT_ERRORS,
  STAFF_ERRORS,
  SUPPORT_ERRORS,
  TELEGRAM_ERRORS,
} from '#contract/errors.ts'
import { setBlocked } from '#server/core/accounts/users/queries.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { buyActivation } from '#server/core/numbers/purchase/buy.ts'
import { buyingOf } from '#server/core/numbers/sourcing/buying-stopped.ts'
import { Pool } from '#server/house/db/pool.ts'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting, rentOne } from '#test/builders/rental-rows.ts'
import { call, type Refusal, refused, toRefusal } from '#test/harness/calls.ts'
import { EXPECTED_REFUSALS } from '#test/harness/expected-refusals.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { toAppError, toReply } from './error-reply.ts'

type Locale = 'ru' | 'en'
type Provoked = Record<
  string,
  Record<Locale, { status: number; retryAfter: string | null } & Omit<ErrorReply, 'status' | 'code'>>
>

const BUY = 'POST /api/v1/activations'
const TELEGRAM = { service_id: 'tg', country_id: 2 }

async function inBoth(provoke: (locale: Locale) => Promise<Refusal>): Promise<Provoked> {
  const replies = { ru: await provoke('ru'), en: await provoke('en') }
  const told = ({ status, retryAfter, body: { status: _, code: __, ...words } }: Refusal) => ({
    status,
    retryAfter,
    ...words,
  })
  expect(replies.ru.body.code).toBe(replies.en.body.code)
  return { [replies.ru.body.code]: { ru: told(replies.ru), en: told(replies.en) } }
}

const fetchRefused = async (t: TestApp, path: string, init: RequestInit & { token?: string }, locale: Locale) => {
  const response = await t.fetch(path, { method: 'POST', ...init, headers: { ...init.headers, locale } })
  return toRefusal(response, await response.json())
}

const thrown = async (locale: Locale, work: () => Promise<unknown>): Promise<Refusal> => {
  const error = toAppError(
    await work().then(
      () => 'nothing was thrown',
      (caught: unknown) => caught,
    ),
  )
  return { status: error.httpStatus, retryAfter: null, body: toReply(error, locale) }
}

async function aboutRequests(t: TestApp): Promise<Provoked> {
  const { token } = await t.makeUser()
  const json = { 'content-type': 'application/json' }
  const post = (body: string, headers: Record<string, string>) => (locale: Locale) =>
    fetchRefused(t, '/api/v1/activations', { token, body, headers }, locale)
  const login = { email: 'nobody@example.test', password: 'wrong' }
  const provoked = {
    ...(await inBoth((locale) => refused(t, 'GET /api/user', {}, { locale }))),
    ...(await inBoth((locale) => refused(t, 'POST /api/login', login, { locale }))),
    ...(await inBoth((locale) => refused(t, 'POST /api/refresh', {}, { locale }))),
    ...(await inBoth((locale) => refused(t, 'GET /api/v1/activations/{id}', { id: 1 }, { locale, token }))),
    ...(await inBoth((locale) => refused(t, BUY, { country_id: -1, operator_id: 5 }, { locale, token }))),
    ...(await inBoth(post('{"service_id":', json))),
    ...(await inBoth(post(JSON.stringify({ service_id: 'x'.repeat(70_000) }), json))),
    ...(await inBoth(post('<buy/>', { 'content-type': 'application/xml' }))),
  }
  for (let tries = 2; tries < 5; tries += 1) await refused(t, 'POST /api/login', login)
  return { ...provoked, ...(await inBoth((locale) => refused(t, 'POST /api/login', login, { locale }))) }
}

async function aboutPurchases(t: TestApp): Promise<Provoked> {
  const supplier = await t.addFake()
  const { token } = await t.makeUser({ balance: '20.00' })
  const poor = await t.makeUser({ balance: '0.50' })
  const buy = (input: object, options: object = {}) =>
    inBoth((locale) => refused(t, BUY, { ...TELEGRAM, ...input }, { token, locale, ...options }))
  const provoked = {
    ...(await buy({ service_id: 'nosuch' })),
    ...(await buy({ country_id: 99_999 })),
    ...(await buy({ operator_id: 'nosuch' })),
    ...(await buy({ country_id: 7 })),
    ...(await buy({ price: '1.50' })),
    ...(await buy({}, { token: poor.token })),
  }
  await call(t, BUY, TELEGRAM, { token, idempotencyKey: 'literal-1' })
  Object.assign(provoked, await buy({ price: '99' }, { idempotencyKey: 'literal-1' }))
  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  supplier.onBuy = async (order) => {
    asked.resolve()
    await gate.promise
    return supplier.sell(order)
  }
  const rich = await t.makeUser()
  const buying = call(t, BUY, TELEGRAM, { token: rich.token, idempotencyKey: 'literal-2' })
  await asked.promise
  Object.assign(provoked, await buy({}, { token: rich.token, idempotencyKey: 'literal-2' }))
  gate.resolve()
  await buying
  buyingOf(t.ctx).stopped = true
  Object.assign(provoked, await buy({}))
  buyingOf(t.ctx).stopped = false
  const purchase = {
    userId: poor.id,
    currency: 'rub',
    serviceCode: 'tg',
    countryId: 2,
    operator: null,
    channel: 'site',
  } as const
  const cheap = () => buyActivation(t.ctx, { ...purchase, maxPriceMicros: 1_000_000n })
  Object.assign(provoked, await inBoth((locale) => thrown(locale, cheap)))
  await setBlocked(t.ctx.db, { userId: poor.id, blockedAt: t.clock.now() })
  return { ...provoked, ...(await inBoth((locale) => thrown(locale, () => buyActivation(t.ctx, purchase)))) }
}

async function aboutNumbers(t: TestApp): Promise<Provoked> {
  const supplier = await t.addFake('numbers')
  const buyer = await t.makeUser()
  const { token } = buyer
  const { id, phone } = await buyOne(t, buyer)
  const press = (verb: 'cancel' | 'again' | 'finish' | 'open') =>
    inBoth((locale) => refused(t, `POST /api/v1/activations/{id}/${verb}`, { id }, { token, locale }))
  const provoked = { ...(await press('cancel')), ...(await press('again')), ...(await press('open')) }
  await pushSms(t, supplier, { phone })
  Object.assign(provoked, await press('cancel'))
  supplier.onAskAgain = async () => false
  Object.assign(provoked, await press('again'))
  await call(t, 'POST /api/v1/activations/{id}/finish', { id }, { token })
  return { ...provoked, ...(await press('again')) }
}

async function aboutRentals(t: TestApp): Promise<Provoked> {
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '1000.00' })
  const { token } = buyer
  const told = (key: CallKey, input: object) => inBoth((locale) => refused(t, key, input, { token, locale }))
  const { id, phone } = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone })
  await call(t, 'POST /api/v1/activations/{id}/finish', { id }, { token })
  const rental = await rentOne(t, buyer)
  await pushSms(t, supplier, { phone: rental.phone, messageId: 'rented' })
  return {
    ...(await told('POST /api/v1/activations/{id}/repeat', { id })),
    ...(await told('POST /api/v1/rentals/{id}/cancel', { id: rental.id })),
    ...(await told('POST /api/v1/rentals/{id}/extend', { id: rental.id, period: 336 })),
  }
}

async function aboutLimits(t: TestApp): Promise<Provoked> {
  const { token, id } = await t.makeUser({ balance: '1000.00' })
  const told = (key: CallKey, input: object) => inBoth((locale) => refused(t, key, input, { token, locale }))
  const change = (text: string) => t.ctx.db.query({ text, values: [id] })
  const wish = { ...TELEGRAM, max_price: '1.00', hours: 24 }
  for (let open = 0; open < 20; open += 1) await call(t, 'POST /api/v1/preorders', wish, { token })
  const provoked = await told('POST /api/v1/preorders', wish)
  await change(`UPDATE preorders SET state = 'expired' WHERE id = (SELECT min(id) FROM preorders WHERE user_id = $1)`)
  Object.assign(provoked, await told('POST /api/v1/preorders/{id}/cancel', { id: 700_000_001 }))
  await change('UPDATE accounts SET open_numbers_limit = 0 WHERE user_id = $1')
  Object.assign(provoked, await told(BUY, TELEGRAM))
  await change('UPDATE accounts SET open_numbers_limit = NULL, day_spend_limit_micros = 12500000 WHERE user_id = $1')
  Object.assign(provoked, await told(BUY, TELEGRAM))
  await change(`INSERT INTO purchase_pauses (user_id, service_code, country_id, purchases, codes, began_at, until)
    VALUES ($1, 'tg', 2, 60, 0, '2026-03-01 12:00Z', '2026-03-01 12:30Z')`)
  return { ...provoked, ...(await told(BUY, TELEGRAM)) }
}

async function aboutTheService(t: TestApp): Promise<Provoked> {
  const ask = (app: TestApp) => inBoth((locale) => refused(app, 'GET /api/price', TELEGRAM, { locale }))
  await using closed = await startTestApp({ config: { maintenanceMessage: 'Вернёмся в полдень. Back at noon.' } })
  const provoked = await ask(closed)
  catalogOf(t.ctx).pair = () => {
    throw new Error('password=hunter2 at /srv/secret')
  }
  Object.assign(provoked, await ask(t))
  const away = {
    connectionString: 'postgres://ringpost:x@127.0.0.1:1/x',
    maxConnections: 2,
    applicationName: 'test',
    log: t.log,
  }
  t.ctx.db = new Pool(away)
  const login = { email: 'a@example.test', password: 'x' }
  return { ...provoked, ...(await inBoth((locale) => refused(t, 'POST /api/login', login, { locale }))) }
}

test('every error of the catalogue, as it is written out in both languages', async () => {
  await using t = await startTestApp()
  const provoked = { ...(await aboutRequests(t)), ...(await aboutPurchases(t)) }
  await using other = await startTestApp()
  Object.assign(provoked, await aboutNumbers(other))
  await using renting = await startTestApp()
  Object.assign(provoked, await aboutRentals(renting), await aboutLimits(renting))
  await using broken = await startTestApp()
  Object.assign(provoked, await aboutTheService(broken))
  const elsewhere = new Set<string>([
    ...Object.keys(ACCOUNT_ERRORS),
    ...Object.keys(PAYMENT_ERRORS),
    ...Object.keys(SUPPORT_ERRORS),
    ...Object.keys(STAFF_ERRORS),
    ...Object.keys(TELEGRAM_ERRORS),
    'IN_DEBT',
    'TOO_MANY_FAVORITES',
    'SANDBOX_FULL',
    'TOO_MANY_REPORTS',
  ])
  expect(Object.keys(provoked).sort()).toEqual(
    Object.keys(ERRORS)
      .filter((code) => !elsewhere.has(code))
      .sort(),
  )
  expect(provoked).toEqual(EXPECTED_REFUSALS)
  expect(broken.log.lines).toContainEqual({
    level: 'error',
    sentence: 'a request failed',
    fields: {
      route: '/api/price',
      requestId: expect.any(String),
      error: expect.objectContaining({ message: 'password=hunter2 at /srv/secret' }),
    },
  })
})
