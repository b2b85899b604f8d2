import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { CallKey } from '#contract/calls/calls.ts'
import { PROTOCOLS } from '#contract/calls/reference-calls.ts'
import { ERRORS, type ErrorCode } from '#contract/errors.ts'
import english from '#contract/words/calls-en.json' with { type: 'json' }
import russian from '#contract/words/calls-ru.json' with { type: 'json' }
import { WORD_OF as FIVE_SIM_WORDS } from '#server/adapters/five-sim/serve/refusals.ts'
import { WORD_OF as HANDLER_API_WORDS } from '#server/adapters/handler-api/serve/refusals.ts'
import { buyingOf } from '#server/core/numbers/sourcing/buying-stopped.ts'
import { describeCalls } from '#server/house/http/openapi.ts'
import { calls } from '#server/programs/app.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { typeOfInput, typeOfReply } from './type-words.ts'

test('every call of a key stands there with an input that the call accepts, and its group has a name in both languages', async () => {
  await using t = await startTestApp()
  const { data } = await call(t, 'GET /api/v1/reference', {})
  const shown = data.flatMap((group) => group.calls)
  for (const { method, path, example } of shown) {
    const described = calls.find(({ key }) => key === `${method} ${path}`)
    expect([path, described?.input.safeParse(example).error]).toEqual([path, undefined])
  }
  const byKey = calls.filter(
    (one) => one.scope !== undefined && one.scope !== 'session' && one.contentType === undefined,
  )
  expect(
    shown
      .filter(({ scope }) => scope !== null)
      .map(({ method, path }) => `${method} ${path}`)
      .sort(),
  ).toEqual(byKey.map(({ key }) => key).sort())
  for (const language of ['ru', 'en']) {
    const file = new URL(`../../../../web/locales/${language}/lazy/site/reference.json`, import.meta.url)
    const texts = JSON.parse(await readFile(file, 'utf8')) as { groups: Record<string, string> }
    expect(Object.keys(texts.groups).sort()).toEqual(data.map(({ tag }) => tag).sort())
  }
})

test('every operation says in English what it does, and those of keys in Russian too; no summary belongs to another', async () => {
  await using t = await startTestApp()
  const summaries = Object.entries(describeCalls(calls).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary }]) => [`${method.toUpperCase()} ${path}`, summary]),
  )
  expect(summaries.filter(([, summary]) => summary === '')).toEqual([])
  expect(Object.fromEntries(summaries)).toEqual(english)
  for (const [locale, words] of [['en', english] as const, ['ru', russian] as const]) {
    const { data } = await call(t, 'GET /api/v1/reference', {}, { locale })
    const shown = data.flatMap((group) => group.calls).map((one) => [`${one.method} ${one.path}`, one.summary])
    expect(words).toMatchObject(Object.fromEntries(shown))
    if (locale === 'ru') expect(shown.map(([key]) => key).sort()).toEqual(Object.keys(words).sort())
  }
})

test('F6: a field that has no effect is marked as internal and is not listed', async () => {
  await using t = await startTestApp()
  const { data } = await call(t, 'GET /api/v1/reference', {})
  const services = data.flatMap((group) => group.calls).find(({ id }) => id === 'services_get')
  expect(services?.fields.map(({ name }) => name)).toEqual([
    'load',
    'search',
    'is_favorite',
    'page',
    'per_page',
    'country_id',
  ])
  const { parameters = [] } = describeCalls(calls).paths['/api/services']?.get ?? {}
  expect(parameters.find(({ name }) => name === 'version')?.schema).toMatchObject({ 'x-internal': true })
})

test('a purchase is told with its scope, its fields and what it answers', async () => {
  await using t = await startTestApp()
  const { data } = await call(t, 'GET /api/v1/reference', {})
  const buy = data.flatMap((group) => group.calls).find(({ id }) => id === 'activations_create')
  expect(buy).toMatchObject({ method: 'POST', scope: 'buy', once: true, status: 201 })
  expect(buy?.fields[0]).toEqual({
    name: 'service_id',
    in: 'body',
    required: true,
    type: 'string 1…40',
    about: expect.any(String),
  })
  expect(buy?.reply).toContain('    phone: string | null\n')
  expect(buy?.reply).toContain('      received_at: date-time\n')
})

test('every error stands there once, with what to do, and every word of a protocol is among those of its page', async () => {
  await using t = await startTestApp()
  for (const locale of ['en', 'ru'] as const) {
    const { errors, protocols } = (await call(t, 'GET /api/v1/reference/errors', {}, { locale })).data
    expect(errors.map(({ code }) => code).sort()).toEqual(Object.keys(ERRORS).sort())
    expect(errors.filter(({ sentences, remedy }) => sentences.length === 0 || remedy === '')).toEqual([])
    for (const { name, words } of protocols) {
      const known = new Set(words.map(({ word }) => word))
      const ofCodes = Object.values(name === 'handler-api' ? HANDLER_API_WORDS : FIVE_SIM_WORDS)
      const { parts } = (await call(t, 'GET /api/v1/reference/protocols/{name}', { name }, { locale })).data
      const used = [...ofCodes.filter((word) => word !== null), ...parts.flatMap((part) => part.words)]
      expect([name, used.filter((word) => !known.has(word))]).toEqual([name, []])
    }
  }
})

test('the errors of a purchase and of every call name each other', async () => {
  await using t = await startTestApp()
  const { data } = await call(t, 'GET /api/v1/reference', {})
  const buy = data.flatMap((group) => group.calls).find(({ id }) => id === 'activations_create')
  expect(buy?.errors).toEqual(expect.arrayContaining(['NO_BALANCE', 'MAX_PRICE_TOO_LOW', 'IDEMPOTENCY_CONFLICT']))
  const { errors } = (await call(t, 'GET /api/v1/reference/errors', {})).data
  const noBalance = errors.find(({ code }) => code === 'NO_BALANCE')
  expect(noBalance?.calls).toContainEqual({ id: 'activations_create', name: 'POST /api/v1/activations' })
  expect(errors.find(({ code }) => code === 'TOO_MANY_REQUESTS')).toMatchObject({ status: 429, from: 'every' })
  expect(errors.filter(({ from }) => from === 'site').map(({ code }) => code)).toEqual(NEVER_BY_KEY)
})

/** The codes that only sessions get, in the order of the catalogue. A withdrawal to an address refuses keys first. */
const NEVER_BY_KEY: ErrorCode[] = [
  'WRONG_CREDENTIALS',
  'EMAIL_NOT_VERIFIED',
  'NEED_PASSWORD',
  'CONFIRM_PASSWORD',
  'NEED_2FA_CODE',
  'WRONG_CODE',
  'CODE_EXPIRED',
  'TOKEN_EXPIRED',
  'TWO_FACTOR_ON',
  'WRONG_PASSWORD',
  'CAPTCHA_FAILED',
  'EMAIL_TAKEN',
  'IDENTITY_TAKEN',
  'LAST_WAY_IN',
  'EXPORT_ONCE_A_DAY',
  'AUTH_FAILED',
  'TOO_MANY_KEYS',
  'PASSKEY_FAILED',
  'PASSKEY_TAKEN',
  'TOO_MANY_PASSKEYS',
  'TOO_MANY_GUESTS',
  'WITHDRAWAL_OPEN',
  'WITHDRAWALS_CLOSED',
  'OWN_TICKET',
  'BUYER_DELETED',
  'TICKET_TAKEN',
  'TICKET_ANSWERED',
  'NOTHING_TO_REFUND',
  'REFUNDED_BEFORE',
  'REFUND_CAP',
  'ANSWER_EXISTS',
  'TOO_MANY_ANSWERS',
  'TOO_MANY_TICKETS',
  'TOO_MANY_FILES',
  'BAD_FILE',
  'TELEGRAM_NOT_LINKED',
  'TELEGRAM_UNAVAILABLE',
  'NOT_IN_CHANNEL',
  'REWARD_GIVEN',
  'REWARD_TOO_EARLY',
  'REWARD_NEEDS_TOP_UP',
  'TOO_MANY_FAVORITES',
]

test('what a call refuses is among the errors that its page names', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const user = await t.makeUser({ balance: '1.00' })
  const { data } = await call(t, 'GET /api/v1/reference', {})
  const errorsOf = (key: string) =>
    data.flatMap((group) => group.calls).find(({ method, path }) => `${method} ${path}` === key)?.errors
  const pair = { service_id: 'tg', country_id: 2 }
  const given: [CallKey, object][] = [
    ['POST /api/v1/activations', pair],
    ['POST /api/v1/activations', { ...pair, max_price: '1' }],
    ['POST /api/v1/activations', { ...pair, price: '1' }],
    ['POST /api/v1/activations', { ...pair, service_id: 'nosuch' }],
    ['POST /api/v1/activations', { ...pair, operator_id: 'nosuch' }],
    ['POST /api/v1/activations/{id}/finish', { id: 5 }],
    ['POST /api/v1/rentals', { ...pair, period: 24 }],
    ['POST /api/v1/preorders', { ...pair, max_price: '20', hours: 24 }],
    ['POST /api/v1/payments', { system: 'nosuch', amount: '5' }],
    ['POST /api/v1/vouchers', { code: 'NOSUCH' }],
  ]
  for (const [key, input] of given) {
    const { body } = await refused(t, key, input, user)
    expect([key, errorsOf(key)]).toEqual([key, expect.arrayContaining([body.code])])
  }
  buyingOf(t.ctx).stopped = true
  const stopped = await refused(t, 'POST /api/v1/preorders', { ...pair, max_price: '1', hours: 24 }, user)
  expect(stopped.body.code).toBe('BUYING_STOPPED')
  for (const key of ['POST /api/v1/preorders', 'POST /api/v1/rentals/{id}/extend'])
    expect([key, errorsOf(key)]).toEqual([key, expect.arrayContaining(['BUYING_STOPPED'])])
})

test('every field says what it means, and each protocol is told in both languages', async () => {
  await using t = await startTestApp()
  for (const locale of ['en', 'ru'] as const) {
    const { data } = await call(t, 'GET /api/v1/reference', {}, { locale })
    const silent = data.flatMap((group) =>
      group.calls.flatMap(({ id, fields }) => fields.map((field) => ({ id, ...field }))),
    )
    expect(silent.filter(({ about }) => about === '').map(({ id, name }) => `${id}.${name}`)).toEqual([])
    for (const name of PROTOCOLS) {
      const { parts } = (await call(t, 'GET /api/v1/reference/protocols/{name}', { name }, { locale })).data
      expect(parts.flatMap(({ fields }) => fields).filter(({ about }) => about === '')).toEqual([])
    }
  }
})

test('the page that is closed closes its calls', async () => {
  await using t = await startTestApp({ config: { closedPages: ['doc'] } })
  expect(await refused(t, 'GET /api/v1/reference', {})).toMatchObject({ status: 404 })
  expect(await refused(t, 'GET /api/v1/reference/errors', {})).toMatchObject({ status: 404 })
  expect(await refused(t, 'GET /api/v1/reference/protocols/{name}', { name: 'live' })).toMatchObject({ status: 404 })
})

test.each([
  [{ type: 'array', items: { type: 'string', maxLength: 40 }, maxItems: 9 }, '(string ≤ 40)[] ≤ 9'],
  [{ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, 'integer ≥ 1'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, '{ [key]: number }'],
  [{ anyOf: [{ enum: ['a', 'b'] }, { type: 'null' }] }, '"a" | "b" | null'],
  [{}, 'unknown'],
] as const)('the type %j is written %s', (schema, written) => {
  expect(typeOfInput(structuredClone(schema) as Parameters<typeof typeOfInput>[0])).toBe(written)
})

test('a schema that holds itself is written as deep as it can be read', () => {
  const Tree = { type: 'object', properties: { leaf: { $ref: '#/components/schemas/Tree' } } }
  const written = typeOfReply({ $ref: '#/components/schemas/Tree' }, { Tree })
  expect(written.split('\n').length).toBeLessThan(20)
  expect(written).toContain('leaf?: Tree')
})
