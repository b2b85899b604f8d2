import { expect, test } from 'vitest'
import { count } from '#test/builders/activation-rows.ts'
import { call, refused, send } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

const ADD = 'POST /api/activation/add-to-favorite'
const REMOVE = 'DELETE /api/activation/remove-from-favorite/{type}/{id}'

test('services and countries are marked and unmarked, and stand out in the lists', async () => {
  await using t = await startTestApp()
  const { token } = await t.makeUser()
  const other = await t.makeUser()
  expect(await call(t, ADD, { id: 'tg', type: 'service' }, { token })).toEqual({ status: true, favorites: 1 })
  expect(await call(t, ADD, { id: 'tg', type: 'service' }, { token })).toEqual({ status: true, favorites: 1 })
  expect(await call(t, ADD, { id: 'wa', type: 'service' }, { token })).toEqual({ status: true, favorites: 2 })
  expect(await call(t, ADD, { id: 0, type: 'country' }, { token })).toEqual({ status: true, favorites: 1 })
  expect(await call(t, ADD, { id: '0', type: 'country' }, { token })).toEqual({ status: true, favorites: 1 })

  const services = await call(t, 'GET /api/services', { load: 'all', is_favorite: '1' }, { token })
  expect(services).toMatchObject({ count: 2, favorites: 2 })
  expect(services.services.map(({ id, is_favorite }) => [id, is_favorite]).sort()).toEqual([
    ['tg', true],
    ['wa', true],
  ])
  const all = await call(t, 'GET /api/services', { load: 'all', is_favorite: '0' }, { token })
  expect(all.services.filter((service) => service.is_favorite)).toHaveLength(2)
  expect(all.count).toBeGreaterThan(2)
  const countries = await call(t, 'GET /api/countries', { is_favorite: '1' }, { token })
  expect(countries).toMatchObject({ count: 1, favorites: 1, countries: [{ id: 0, is_favorite: true }] })
  for (const options of [{}, { token: other.token }]) {
    expect(await call(t, 'GET /api/services', { is_favorite: '1' }, options)).toMatchObject({ count: 0, favorites: 0 })
  }

  expect(await call(t, REMOVE, { id: 'tg', type: 'service' }, { token })).toEqual({ status: true, favorites: 1 })
  expect(await call(t, REMOVE, { id: 'tg', type: 'service' }, { token })).toEqual({ status: true, favorites: 1 })
  expect(await call(t, REMOVE, { id: 0, type: 'country' }, { token })).toEqual({ status: true, favorites: 0 })
})

test('what one rents is marked apart from what one activates', async () => {
  await using t = await startTestApp()
  const { token } = await t.makeUser()
  const [add, remove] = ['POST /api/rent/add-to-favorite', 'DELETE /api/rent/remove-from-favorite/{type}/{id}'] as const
  await call(t, ADD, { id: 'tg', type: 'service' }, { token })
  expect(await call(t, add, { id: 'full', type: 'service' }, { token })).toEqual({ status: true, favorites: 1 })
  expect(await call(t, add, { id: 'wa', type: 'service' }, { token })).toEqual({ status: true, favorites: 2 })
  expect(await call(t, add, { id: 7, type: 'country' }, { token })).toEqual({ status: true, favorites: 1 })
  const rent = await call(t, 'GET /api/rent-services', { is_favorite: '1' }, { token })
  expect(rent).toMatchObject({ count: 2, favorites: 2 })
  expect(rent.services.map(({ id, is_favorite }) => [id, is_favorite])).toEqual([
    ['full', true],
    ['wa', true],
  ])
  const activations = await call(t, 'GET /api/services', { is_favorite: '1' }, { token })
  expect(activations).toMatchObject({ count: 1, favorites: 1, services: [{ id: 'tg' }] })
  const countries = await call(t, 'GET /api/rent-countries', { is_favorite: '1' }, { token })
  expect(countries).toMatchObject({ favorites: 1, countries: [{ id: 7, is_favorite: true }] })
  expect(await call(t, 'GET /api/countries', { is_favorite: '1' }, { token })).toMatchObject({ favorites: 0 })
  expect(await call(t, remove, { id: 'tg', type: 'service' }, { token })).toEqual({ status: true, favorites: 2 })
  expect(await call(t, remove, { id: 'full', type: 'service' }, { token })).toEqual({ status: true, favorites: 1 })
  expect(await count(t.ctx, 'favorites')).toBe(3)
  expect((await refused(t, ADD, { id: 'full', type: 'service' }, { token })).body.code).toBe('BAD_SERVICE')
  expect((await refused(t, add, { id: 'nosuch', type: 'service' }, { token })).body.code).toBe('BAD_SERVICE')
  expect((await refused(t, add, { id: '00', type: 'country' }, { token })).body.code).toBe('BAD_COUNTRY')
  expect((await refused(t, add, { id: 'full', type: 'service' })).body.code).toBe('UNAUTHENTICATED')
})

test('what does not exist cannot be a favourite, however it is written', async () => {
  await using t = await startTestApp()
  const { token } = await t.makeUser()
  const codeOf = async (input: object) => (await refused(t, ADD, input, { token })).body.code
  expect(await codeOf({ id: 'nosuch', type: 'service' })).toBe('BAD_SERVICE')
  expect(await codeOf({ id: 'TG', type: 'service' })).toBe('BAD_SERVICE')
  for (const id of ['999', 999, ' ', '00', '0x0', '1e0', '0.0', '+0', '-0', 'constructor']) {
    expect([id, await codeOf({ id, type: 'country' })]).toEqual([id, 'BAD_COUNTRY'])
  }
  for (const input of [
    {},
    { id: 'tg' },
    { id: 'tg', type: 'operator' },
    { id: '', type: 'service' },
    { id: ['tg'], type: 'service' },
    { id: 2.5, type: 'country' },
  ]) {
    expect([input, await codeOf(input)]).toEqual([input, 'INVALID_INPUT'])
  }
  expect((await refused(t, ADD, { id: 'tg', type: 'service' })).body.code).toBe('UNAUTHENTICATED')
  expect(await count(t.ctx, 'favorites')).toBe(0)
})

test('nobody has more than 200, however many are added at once; one that there is stays one', async () => {
  await using t = await startTestApp()
  const { id, token } = await t.makeUser()
  await t.ctx.db.query({
    text: `INSERT INTO favorites (user_id, mode, kind, subject_id, created_at)
      SELECT $1, 'rent', 'service', n::text, $2 FROM generate_series(1, 198) n`,
    values: [id, t.clock.now()],
  })
  const wanted = ['tg', 'wa', 'ig', 'fb', 'vk', 'vi']
  const answers = await Promise.all(wanted.map((service) => send(t, ADD, { id: service, type: 'service' }, { token })))
  expect(answers.map(({ response }) => response.status).toSorted()).toEqual([200, 200, 409, 409, 409, 409])
  expect(await count(t.ctx, 'favorites')).toBe(200)
  const kept = wanted[answers.findIndex(({ response }) => response.ok)] ?? ''
  expect((await call(t, ADD, { id: kept, type: 'service' }, { token })).favorites).toBe(2)
  expect((await refused(t, ADD, { id: 0, type: 'country' }, { token })).body.code).toBe('TOO_MANY_FAVORITES')
  await call(t, REMOVE, { id: kept, type: 'service' }, { token })
  await call(t, ADD, { id: 0, type: 'country' }, { token })
})
