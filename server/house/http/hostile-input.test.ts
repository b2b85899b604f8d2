import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallKey } from '#contract/calls/calls.ts'
import { calls } from '#server/programs/app.ts'
import { count, expectBooksRight, moneyOf } from '#test/builders/activation-rows.ts'
import { asText, bodyOf, call, refused, send, toRefusal } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { randomRuns } from '#test/harness/random-runs.ts'

const BUY = 'POST /api/v1/activations'
const JSON_TYPE = { 'content-type': 'application/json' }

const NASTY = [
  `'; DROP TABLE users; --`,
  `1 OR 1=1`,
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `{{7*7}}`,
  `../../etc/passwd`,
  `%00`,
  `\0`,
  `tg\0`,
  `\ud800`,
  `\udfff\ud83d`,
  `\u202e\u0000\uffff`,
  `${'a'.repeat(5_000)}`,
  ` `,
  ``,
  `-1`,
  `1e3`,
  `0x10`,
  `NaN`,
  `Infinity`,
  `9007199254740993`,
  `99999999999999999999999`,
  `null`,
  `__proto__`,
  `constructor`,
  `toString`,
] as const

const hostileValue = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NASTY) },
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.double(),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.constantFrom(...NASTY), { maxLength: 4 }),
  fc.dictionary(fc.constantFrom('id', '__proto__', 'toString', 'length', 'x'), fc.constantFrom(...NASTY), {
    maxKeys: 3,
  }),
)

/** Generates objects with known and unknown field names. `Object.fromEntries` would not send `__proto__` as a name. */
const hostileInput = fc.dictionary(
  fc.constantFrom(
    'id',
    'type',
    'service_id',
    'country_id',
    'operator_id',
    'price',
    'email',
    'password',
    'one_time_password',
    'search',
    'page',
    'per_page',
    'services_ids',
    'countries_ids',
    'sort',
    'load',
    'is_favorite',
    'version',
    'socket_id',
    'channel_name',
    'constructor',
    'hasOwnProperty',
    'toString',
  ),
  hostileValue,
  { maxKeys: 8 },
)

test('no input makes any call fail with a fault of ours, and nothing is bought by it', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser({ balance: '1000.00' })
  const token = await t.makeApiKey(buyer)
  const tried = new Map(calls.filter((one) => one.key !== 'POST /api/login').map((one) => [one.key, one]))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...tried.keys()),
      hostileInput,
      fc.constantFrom('json', 'query', 'form'),
      async (key, input, way) => {
        const { response, body } = await sendSomehow(key, input, way)
        const failures = t.log.lines.filter(({ level }) => level === 'error')
        const seen = JSON.stringify({ key, input, way, status: response.status, body, failures })
        expect(response.status, seen).toBeLessThan(500)
        if (response.status >= 400) toRefusal(response, body)
        else expect(tried.get(key)?.reply.parse(body), seen).toEqual(body)
      },
    ),
    { numRuns: randomRuns({ suite: 300, soak: 20_000 }) },
  )
  expect(t.log.lines.filter(({ level }) => level === 'error')).toEqual([])
  expect(await count(t.ctx, 'activations')).toBe(0)
  expect(await moneyOf(t, { ...buyer, token })).toEqual({ balance: '1000.00', held: '0.00' })
  await expectBooksRight(t.ctx)

  async function sendSomehow(key: string, input: object, way: string) {
    if (way === 'json') return send(t, key, input, { token })
    const [method = '', template = ''] = key.split(' ')
    const rest = new Map(Object.entries(input))
    const path = template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(asText(rest.get(name))))
    const pairs = [...rest].flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((each) => [name, asText(each)]),
    )
    const form = new URLSearchParams(pairs)
    const init: RequestInit & { token: string } = { method, token }
    if (way === 'form' && method === 'POST') init.body = form
    const response = await t.fetch(init.body === undefined ? `${path}?${form}` : path, init)
    return { response, body: await bodyOf(response) }
  }
})

const NO_COUNTRIES = [
  undefined,
  null,
  '',
  [],
  [2],
  false,
  true,
  2.5,
  -1,
  ' ',
  '2e0',
  '0x2',
  { valueOf: 2 },
  1e300,
  '２',
]

test('what JavaScript would call zero, or two, is no country: nothing is bought in country 0', async () => {
  await using t = await startTestApp()
  await t.addFake('russian', [
    { serviceCode: 'tg', countryId: 0, operator: 'mts', costMicros: 1_000_000n, currency: 'rub', stock: 9 },
    { serviceCode: 'tg', countryId: 2, operator: 'altel', costMicros: 1_000_000n, currency: 'rub', stock: 9 },
  ])
  const { token } = await t.makeUser()
  for (const country_id of NO_COUNTRIES) {
    const { status, body } = await refused(t, BUY, { service_id: 'tg', country_id }, { token })
    const seen = [status, body.code, Object.keys(body.errors ?? {})]
    expect(seen, JSON.stringify({ country_id })).toEqual([422, 'INVALID_INPUT', ['country_id']])
  }
  expect(await count(t.ctx, 'activations')).toBe(0)
  const bought = await call(t, BUY, { service_id: 'tg', country_id: 0 }, { token })
  expect(bought.data.country.id).toBe(0)
})

test('signing in takes any text and tells nothing', async () => {
  await using t = await startTestApp()
  for (const text of NASTY) {
    t.clock.advance(60_000)
    const { status, body } = await refused(t, 'POST /api/login', { email: text, password: text })
    expect([400, 422], JSON.stringify({ text, body })).toContain(status)
    expect(['INVALID_INPUT', 'WRONG_CREDENTIALS', 'MALFORMED_BODY']).toContain(body.code)
  }
  for (const email of [null, 5, ['a'], { a: 1 }, true]) {
    const { body } = await refused(t, 'POST /api/login', { email, password: 'x' })
    expect(body.code).toBe('INVALID_INPUT')
  }
})

const BROKEN_REQUESTS: [what: string, path: string, init: RequestInit, status: number, code: string][] = [
  ['half a document', '/api/v1/activations', { body: '{"service_id":"tg"', headers: JSON_TYPE }, 400, 'MALFORMED_BODY'],
  ['no document', '/api/v1/activations', { body: '', headers: JSON_TYPE }, 422, 'INVALID_INPUT'],
  ['W-4: no document where none is wanted', '/api/v1/activations/7/cancel', { headers: JSON_TYPE }, 404, 'NOT_FOUND'],
  ['a list', '/api/v1/activations', { body: '[1,2]', headers: JSON_TYPE }, 422, 'INVALID_INPUT'],
  ['a bare word', '/api/v1/activations', { body: '"tg"', headers: JSON_TYPE }, 422, 'INVALID_INPUT'],
  ['null', '/api/v1/activations', { body: 'null', headers: JSON_TYPE }, 422, 'INVALID_INPUT'],
  [
    'a prototype',
    '/api/v1/activations',
    { body: '{"__proto__":{"service_id":"tg"}}', headers: JSON_TYPE },
    400,
    'MALFORMED_BODY',
  ],
  [
    'a constructor',
    '/api/v1/activations',
    { body: '{"constructor":{"prototype":{"a":1}}}', headers: JSON_TYPE },
    400,
    'MALFORMED_BODY',
  ],
  [
    'bytes that are no UTF-8',
    '/api/v1/activations',
    { body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), headers: JSON_TYPE },
    400,
    'MALFORMED_BODY',
  ],
  [
    'deep nesting',
    '/api/v1/activations',
    { body: `${'{"service_id":'.repeat(4_000)}1${'}'.repeat(4_000)}`, headers: JSON_TYPE },
    422,
    'INVALID_INPUT',
  ],
  [
    'a NUL',
    '/api/v1/activations',
    { body: '{"service_id":"tg\\u0000","country_id":2}', headers: JSON_TYPE },
    400,
    'MALFORMED_BODY',
  ],
  ['too much', '/api/v1/activations', { body: 'x'.repeat(65_537), headers: JSON_TYPE }, 413, 'BODY_TOO_LARGE'],
  [
    'another type',
    '/api/v1/activations',
    { body: '<a/>', headers: { 'content-type': 'text/xml' } },
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'a type that is no type',
    '/api/v1/activations',
    { body: '{}', headers: { 'content-type': '((' } },
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  ['a broken path', '/api/v1/activations/%zz/cancel', {}, 400, 'MALFORMED_BODY'],
  ['an endless path', `/api/v1/activations/${'9'.repeat(300)}/cancel`, {}, 404, 'NOT_FOUND'],
  ['an unknown path', '/api/v1/nosuch', {}, 404, 'NOT_FOUND'],
]

test('a request that cannot be read is refused in our own words', async () => {
  await using t = await startTestApp()
  const { token } = await t.makeUser()
  for (const [what, path, init, status, code] of BROKEN_REQUESTS) {
    const response = await t.fetch(path, { method: 'POST', token, ...init })
    const refusal = toRefusal(response, await response.json())
    expect([what, refusal.status, refusal.body.code]).toEqual([what, status, code])
  }
  expect(t.log.lines.filter(({ level }) => level === 'error')).toEqual([])
})

test('a parameter given twice, or as part of a list, is no single value', async () => {
  await using t = await startTestApp()
  const { token } = await t.makeUser()
  const fieldsOf = async (query: string) => {
    const response = await t.fetch(`/api/user/active-numbers?${query}`, { token })
    return toRefusal(response, await response.json()).body.errors
  }
  expect(await fieldsOf('page=1&page=2')).toHaveProperty('page')
  expect(await fieldsOf('search=a&search=b')).toHaveProperty('search')
  expect(await fieldsOf('sort=newest&sort=oldest')).toHaveProperty('sort')
  expect(await fieldsOf('per_page=101')).toEqual({ per_page: ['Не больше 100'] })
  expect(await fieldsOf(`countries_ids=${'1,'.repeat(101)}`)).toEqual({ countries_ids: ['Не больше 100'] })
  expect(
    (await t.fetch('/api/user/active-numbers?page=&search=&services_ids=a&services_ids=b', { token })).status,
  ).toBe(200)
})

test('a token of the wrong kind is nobody’s, whatever it holds', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  for (const authorization of [
    'Bearer',
    `Basic ${user.token}`,
    `Bearer ${user.token}x`,
    `Bearer ${user.token.toLowerCase()}`,
    `Bearer ${'A'.repeat(32)}`,
    `Bearer ' OR 1=1 --------------------`,
    `Bearer ${'x'.repeat(4_000)}`,
  ]) {
    const key: CallKey = 'GET /api/user'
    expect((await refused(t, key, {}, { headers: { authorization } })).body.code, authorization).toBe('UNAUTHENTICATED')
  }
})
