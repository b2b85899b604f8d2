import { expect, test } from 'vitest'
import { splitKey } from '#server/house/http/call.ts'
import { calls } from '#server/programs/app.ts'
import { makeStaff } from '#test/builders/staff.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { bodyOf, call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

const OWN = ' /api/v1/'
const own = calls.filter(({ key }) => key.includes(OWN))
const specified = calls.filter(({ key }) => !key.includes(OWN))
const UNKNOWN = { colour: 'red', 'x[]': '1' }
const PAIR = { service_id: 'tg', country_id: '2' }
/** Inputs with which these calls get past their own checks. All other calls get empty input. */
const INPUTS: Record<string, Record<string, string>> = {
  'GET /api/price': PAIR,
  'GET /api/rent-price': PAIR,
  'POST /api/activation/add-to-favorite': { type: 'service', id: 'tg' },
  'POST /api/rent/add-to-favorite': { type: 'country', id: '2' },
}
const PATH: Record<string, string> = {
  type: 'service',
  id: '1',
  provider: 'google',
  service: 'google',
  kind: 'services',
}

test('issue 12: each call of the specification ignores a field that it does not know', async () => {
  await using t = await startTestApp()
  await t.addFake('one', [fakeOffer])
  expect(specified.length).toBeGreaterThan(28)
  const statuses = new Set<number>()
  for (const { key } of specified) {
    const input = INPUTS[key] ?? {}
    const without = await ask(t, key, input, (await t.makeUser()).token)
    const given = await ask(t, key, { ...input, ...UNKNOWN }, (await t.makeUser()).token)
    expect({ key, status: given.status, errors: given.errors }).toEqual({ key, ...without })
    statuses.add(given.status)
  }
  expect(statuses).toContain(200)
})

test('issue 12: each call of /api/v1 refuses a field that it does not know, by its name', async () => {
  await using t = await startTestApp()
  const { token } = await t.makeUser()
  const staff = await makeStaff(t, 'operator')
  expect(own.length).toBeGreaterThan(40)
  for (const { key, admit } of own) {
    const { status, errors } = await ask(t, key, UNKNOWN, admit === undefined ? token : staff.token)
    expect({ key, status, errors }).toEqual({ key, status: 422, errors: expect.arrayContaining(['colour']) })
  }
})

test('issue 12: an unknown id matches nothing on the calls of the specification', async () => {
  await using t = await startTestApp()
  await t.addFake('one', [fakeOffer])
  const { token } = await t.makeUser({ balance: '100' })
  await call(
    t,
    'POST /api/v1/activations',
    { service_id: 'tg', country_id: 2 },
    { token, idempotencyKey: crypto.randomUUID() },
  )
  const nothing = { price: null, count: 0, operators: [{ id: 'any', price: null, count: 0 }] }
  const lists: [path: string, expected: object][] = [
    ...['GET services', 'GET rent-services'].map((name): [string, object] => [name, { count: 0, services: [] }]),
    ...['GET countries', 'GET rent-countries'].map((name): [string, object] => [name, { count: 0, countries: [] }]),
    ...['GET price', 'GET rent-price'].map((name): [string, object] => [name, { data: nothing }]),
    ['GET user/active-numbers', { numbers: { data: [] } }],
    ['GET user/active-rent-numbers', { numbers: { data: [] } }],
  ]
  const unknown = ['service_id=nosuch&country_id=2', 'service_id=tg&country_id=99999']
  for (const [name, expected] of lists) {
    const path = `/api/${name.slice(4)}`
    const [first] = unknown
    const queries = path.endsWith('price') ? unknown : path.includes('services') ? unknown.slice(1) : [first]
    for (const query of path.includes('active') ? ['services_ids[]=nosuch', 'countries_ids[]=99999'] : queries) {
      const reply = await t.fetch(`${path}?${query}`, { token })
      expect({ path, query, status: reply.status, body: await reply.json() }).toMatchObject({
        path,
        query,
        status: 200,
        body: { status: true, ...expected },
      })
    }
  }
  // Adding an unknown service to the favourites is refused, because nobody would see it. Removing one has no effect.
  for (const mode of ['activation', 'rent']) {
    const reply = await t.fetch(`/api/${mode}/remove-from-favorite/service/nosuch`, { method: 'DELETE', token })
    expect([reply.status, await reply.json()]).toEqual([200, { status: true, favorites: 0 }])
  }
})

test('SP-14: a country that is no whole number is refused by its name, on the calls of the specification', async () => {
  await using t = await startTestApp()
  const { token } = await t.makeUser()
  const tried: [key: string, field: string][] = [
    ...['GET /api/user/active-numbers', 'GET /api/user/active-rent-numbers'].map((key): [string, string] => [
      key,
      'countries_ids',
    ]),
    ...['GET /api/services', 'GET /api/rent-services', 'GET /api/price', 'GET /api/rent-price'].map(
      (key): [string, string] => [key, 'country_id'],
    ),
  ]
  for (const [key, field] of tried) {
    for (const value of ['kz', '-1', '2.5']) {
      const { status, errors } = await ask(t, key, { service_id: 'tg', [field]: value }, token)
      expect({ key, value, status, errors: errors.map((name) => name.split('.')[0]) }).toEqual({
        key,
        value,
        status: 422,
        errors: [field],
      })
    }
  }
})

async function ask(t: TestApp, key: string, input: Record<string, string>, token: string) {
  const { method, path } = splitKey(key)
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => PATH[name] ?? '1')
  const inQuery = method === 'GET' || method === 'DELETE'
  const query = inQuery && Object.keys(input).length > 0 ? `?${new URLSearchParams(input)}` : ''
  const body = inQuery ? {} : { body: JSON.stringify(input), headers: { 'content-type': 'application/json' } }
  const reply = await t.fetch(`${filled}${query}`, { method, token, ...body })
  const answer = await bodyOf(reply)
  const errors = typeof answer === 'object' && answer !== null && 'errors' in answer ? Object(answer.errors) : {}
  return { status: reply.status, errors: Object.keys(errors).sort() }
}
