import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { expect, test, vi } from 'vitest'
import { call, refused, toRefusal } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

test('life and readiness are told apart: a database that lacks a migration is not ready', async () => {
  await using t = await startTestApp()
  for (const path of ['/healthz', '/readyz']) {
    const reply = await t.fetch(path)
    expect([path, reply.status, await reply.json()]).toMatchObject([path, 200, { status: true }])
  }
  await t.ctx.db.query({ text: `DELETE FROM schema_migrations WHERE name = '0001_house.sql'` })
  const ready = await t.fetch('/readyz')
  expect(toRefusal(ready, await ready.json())).toMatchObject({ status: 503, retryAfter: '2' })
  expect((await t.fetch('/healthz')).status).toBe(200)
})

test('readyz reads the files of the migrations once, however often it is asked', async () => {
  await using t = await startTestApp()
  expect((await t.fetch('/readyz')).status).toBe(200)
  const reads = [vi.spyOn(fs, 'readdir'), vi.spyOn(fs, 'readFile')]
  syncBuiltinESMExports()
  try {
    for (let look = 0; look < 3; look += 1) expect((await t.fetch('/readyz')).status).toBe(200)
    const files = reads.flatMap(({ mock }) => mock.calls.map(([path]) => String(path)))
    expect(files.filter((path) => path.includes('/migrations/'))).toEqual([])
  } finally {
    for (const read of reads) read.mockRestore()
    syncBuiltinESMExports()
  }
})

type Document = { paths: Record<string, object>; components: { schemas: Record<string, object> } }

const ROUTES = [
  'POST /api/v1/support/files',
  'GET /api/v1/support/files/{id}',
  'POST /broadcasting/auth',
  'POST /broadcasting/user-auth',
]

test('every call is described for programs, with its errors', async () => {
  await using t = await startTestApp()
  const { calls } = await import('#server/programs/app.ts')
  const document = (await (await t.fetch('/api/openapi.json')).json()) as Document
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    expect([name, JSON.stringify(schema).includes(`"#/components/schemas/${name}"`)]).toEqual([name, false])
  }
  const described = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.keys(verbs).map((verb) => `${verb.toUpperCase()} ${path}`),
  )
  const open = calls.map((one) => one.key).filter((key) => !key.includes(' /api/v1/staff/'))
  expect(described.sort()).toEqual([...open, ...ROUTES].sort())
  for (const route of ROUTES) {
    const [method = '', path = ''] = route.split(' ')
    expect(t.app.hasRoute({ method: method as 'GET' | 'POST', url: path.replaceAll(/\{(\w+)\}/g, ':$1') }), route).toBe(
      true,
    )
  }
  const ids = Object.values(document.paths).flatMap((verbs) =>
    Object.values(verbs as Record<string, { operationId: string }>).map(({ operationId }) => operationId),
  )
  expect(new Set(ids).size).toBe(ids.length)
  expect(document.paths['/api/v1/support/files']).toMatchObject({
    post: {
      security: [{ bearer: [] }],
      'x-scope': 'session',
      requestBody: { content: { 'image/png': { schema: { format: 'binary' } }, 'application/pdf': {} } },
      responses: { 201: { content: { 'application/json': { schema: { properties: { data: { type: 'object' } } } } } } },
    },
  })
  expect(document.paths['/broadcasting/auth']).toMatchObject({
    post: {
      'x-scope': 'read',
      'x-sandbox': true,
      requestBody: {
        content: { 'application/x-www-form-urlencoded': { schema: { required: ['socket_id', 'channel_name'] } } },
      },
    },
  })
  expect(document.paths['/api/v1/activations']).toMatchObject({
    post: {
      security: [{ bearer: [] }, { apiKey: [] }],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { properties: { country_id: { type: 'integer', minimum: 0 } } } } },
      },
      responses: {
        201: {},
        default: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
      },
    },
  })
})

test('W-3: the description says which fields a body must and may have, and which calls take a key of repetition', async () => {
  await using t = await startTestApp()
  type Operation = {
    parameters: { name: string; in: string }[]
    requestBody?: {
      required: boolean
      content: { 'application/json': { schema: { required?: string[]; additionalProperties?: boolean } } }
    }
  }
  const reply = await t.fetch('/api/openapi.json', { headers: { 'accept-encoding': 'gzip' } })
  expect(reply.headers.get('content-encoding')).toBe('gzip')
  const document = (await reply.json()) as { paths: Record<string, Record<string, Operation>> }
  const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ key: `${verb.toUpperCase()} ${path}`, ...operation })),
  )
  const bodyOf = (key: string) => {
    const body = operations.find((operation) => operation.key === key)?.requestBody
    return { required: body?.required, ...body?.content['application/json'].schema }
  }
  expect(bodyOf('POST /api/v1/activations')).toMatchObject({
    required: ['service_id', 'country_id'],
    additionalProperties: false,
  })
  expect(bodyOf('POST /api/v1/rentals').required).toEqual(['service_id', 'country_id', 'period'])
  const periods = { enum: [4, 24, 72, 168, 336, 720, 1440] }
  expect(bodyOf('POST /api/v1/rentals')).toMatchObject({ properties: { period: periods } })
  expect(bodyOf('POST /api/v1/preorders')).toMatchObject({ properties: { hours: { enum: [1, 6, 24, 72, 168] } } })
  expect(bodyOf('POST /api/v1/rentals/{id}/extend').required).toEqual(['period'])
  expect(bodyOf('POST /api/v1/activations/{id}/repeat').required).toBe(false)
  expect(bodyOf('POST /api/login')).not.toHaveProperty('additionalProperties')

  const takesKey = operations.filter(({ parameters }) =>
    parameters.some((parameter) => parameter.in === 'header' && parameter.name === 'Idempotency-Key'),
  )
  expect(takesKey.map(({ key }) => key).sort()).toEqual([
    'POST /api/v1/activations',
    'POST /api/v1/activations/bulk',
    'POST /api/v1/activations/{id}/repeat',
    'POST /api/v1/activations/{id}/replace',
    'POST /api/v1/payments',
    'POST /api/v1/preorders',
    'POST /api/v1/referral/withdrawals',
    'POST /api/v1/rentals',
    'POST /api/v1/rentals/{id}/extend',
    'POST /api/v1/support/tickets',
    'POST /api/v1/support/tickets/{id}/messages',
    'POST /api/v1/webhooks',
  ])
})

test('a caller that asks too much is told when to come back, and others are not slowed', async () => {
  await using t = await startTestApp({ config: { apiRequestsPerSecond: 5 } })
  const [busy, calm] = [await t.makeUser(), await t.makeUser()]
  const told: unknown[] = []
  for (let asked = 0; asked < 11; asked += 1) {
    const { status, headers } = await t.fetch('/api/user', { token: busy.token })
    told.push([status, ...['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`)))])
  }
  const allowed = Array.from({ length: 10 }, (_, n) => [200, 10, 9 - n, n < 5 ? 1 : 2])
  expect(told).toEqual([...allowed, [429, 10, 0, 2]])
  const limited = await refused(t, 'GET /api/user', {}, { token: busy.token })
  expect(limited).toMatchObject({ status: 429, retryAfter: '1', body: { code: 'TOO_MANY_REQUESTS' } })
  await call(t, 'GET /api/user', {}, { token: calm.token })
  t.clock.advance(200)
  await call(t, 'GET /api/user', {}, { token: busy.token })
  expect((await refused(t, 'GET /api/user', {}, { token: busy.token })).status).toBe(429)
})

test('under maintenance every call says so, in the words of whoever runs the service', async () => {
  await using t = await startTestApp({ config: { maintenanceMessage: 'Back at noon' } })
  const { token } = await t.makeUser()
  const told = { status: 503, retryAfter: '60', body: { code: 'MAINTENANCE', message: 'Back at noon' } }
  expect(await refused(t, 'GET /api/user', {}, { token })).toMatchObject(told)
  for (const path of ['/api/v1/support/files', '/broadcasting/auth', '/broadcasting/user-auth']) {
    const reply = await t.fetch(path, { method: 'POST', token })
    expect([path, toRefusal(reply, await reply.json())]).toMatchObject([path, told])
  }
  expect((await t.fetch('/healthz')).status).toBe(200)
})

test('no answer names the software behind it, and none may be sniffed', async () => {
  await using t = await startTestApp()
  for (const path of ['/api/user', '/healthz', '/nosuch']) {
    const { headers } = await t.fetch(path)
    expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
    expect([headers.get('server'), headers.get('x-powered-by')]).toEqual([null, null])
  }
})

test('requests are counted by the pattern of their route, never by what was in it', async () => {
  await using t = await startTestApp()
  const { token } = await t.makeUser()
  await refused(t, 'GET /api/v1/activations/{id}', { id: 4_242_424 }, { token })
  await t.fetch('/stubs/handler_api.php?api_key=SECRETKEYSECRETKEYSECRETKEY12345&action=getBalance')
  const text = await t.ctx.metrics.registry.metrics()
  expect(text).toContain('route="/api/v1/activations/:id",status="4xx"')
  expect(text).not.toMatch(/4242424|SECRETKEY/)
})
