import { expect, test } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

const LIST = 'GET /api/user/active-numbers'

test('active numbers are filtered, searched, sorted and paged, with both totals', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('two', [fakeOffer, { ...fakeOffer, serviceCode: 'wa', countryId: 0 }])
  const buyer = await t.makeUser({ balance: '1000.00' })
  const stranger = await t.makeUser()
  const { token } = buyer
  const telegrams: number[] = []
  for (let bought = 0; bought < 3; bought += 1) {
    telegrams.push((await buyOne(t, buyer)).id)
    t.clock.advance(SECOND)
  }
  const { data: whatsapp } = await call(t, 'POST /api/v1/activations', { service_id: 'wa', country_id: 0 }, { token })
  await buyOne(t, stranger)
  const ids = async (input: object) => {
    const { numbers, total_count } = await call(t, LIST, input, { token })
    return { ids: numbers.data.map(({ id }) => id), ...numbers.meta, total_count }
  }
  const newest = [whatsapp.id, ...telegrams.toReversed()]
  expect(await ids({})).toEqual({ ids: newest, last_page: 1, total: 4, total_count: 4 })
  expect(await ids({ sort: 'oldest' })).toMatchObject({ ids: newest.toReversed() })
  expect(await ids({ sort: 'expiring' })).toMatchObject({ ids: newest.toReversed() })
  expect(await ids({ per_page: 3 })).toEqual({ ids: newest.slice(0, 3), last_page: 2, total: 4, total_count: 4 })
  expect(await ids({ per_page: 3, page: 2 })).toMatchObject({ ids: newest.slice(3) })
  expect(await ids({ page: 10_000 })).toEqual({ ids: [], last_page: 1, total: 4, total_count: 4 })
  expect(await ids({ services_ids: ['wa', 'vk'] })).toEqual({
    ids: [whatsapp.id],
    last_page: 1,
    total: 1,
    total_count: 4,
  })
  expect(await ids({ countries_ids: [2] })).toMatchObject({ total: 3 })
  expect(await ids({ services_ids: ['wa'], countries_ids: [2] })).toMatchObject({ ids: [], total: 0, total_count: 4 })
  expect(await ids({ search: 'whatsapp' })).toMatchObject({ ids: [whatsapp.id] })
  expect(await ids({ search: 'Казах' })).toMatchObject({ total: 3 })
  expect(await ids({ search: `+${whatsapp.phone}` })).toMatchObject({ ids: [whatsapp.id] })
  for (const search of ['%', '_', `' OR '1'='1`, '\\'])
    expect([search, await ids({ search })]).toMatchObject([search, { total: 0 }])
  await pushSms(t, supplier, { phone: whatsapp.phone ?? '' })
  t.clock.advance(2 * MINUTE)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id: telegrams[0] ?? 0 }, { token })
  expect(await ids({})).toMatchObject({ ids: newest.slice(0, 3), total_count: 3 })
  expect(await call(t, 'GET /api/user', {}, { token })).toMatchObject({ activations: { count: 3 } })
})

test.each([
  'services_ids[]=wa',
  'services_ids%5B%5D=wa&services_ids%5B%5D=vk',
  'services_ids[0]=vk&services_ids[1]=wa',
  'services_ids=wa&services_ids=vk',
  'services_ids=vk,wa&services_ids[]=zz',
  'countries_ids[]=0',
  'countries_ids%5B0%5D=0&countries_ids%5B1%5D=99999',
  'colour=red&services_ids[]=wa',
])('the list of numbers is filtered by %s', async (query) => {
  await using t = await startTestApp()
  await t.addFake('two', [fakeOffer, { ...fakeOffer, serviceCode: 'wa', countryId: 0 }])
  const buyer = await t.makeUser({ balance: '1000.00' })
  const { token } = buyer
  await buyOne(t, buyer)
  const { data: whatsapp } = await call(t, 'POST /api/v1/activations', { service_id: 'wa', country_id: 0 }, { token })
  const reply = await t.fetch(`/api/user/active-numbers?${query}`, { token })
  expect(await reply.json()).toMatchObject({ numbers: { data: [{ id: whatsapp.id }], meta: { total: 1 } } })
  const nothing = await t.fetch('/api/user/active-numbers?services_ids[]=zz', { token })
  expect(await nothing.json()).toMatchObject({ numbers: { data: [], meta: { total: 0 } }, total_count: 2 })
})

test('our own calls refuse a field they do not know, by its name', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const { token } = await t.makeUser({ balance: '1000.00' })
  const input = { service_id: 'tg', country_id: 2, maxprice: '1.00' }
  const { status, body } = await refused(t, 'POST /api/v1/activations', input, { token })
  expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['maxprice']])
  expect(await call(t, LIST, {}, { token })).toMatchObject({ total_count: 0 })
})

test('names follow the caller’s language; at most fifty messages of a number are shown, the newest first', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser()
  const { id, phone } = await buyOne(t, buyer)
  for (let sent = 1; sent <= 52; sent += 1)
    await pushSms(t, supplier, { phone, messageId: `m${sent}`, text: `Telegram code: ${10_000 + sent}` })
  const { token } = buyer
  const { numbers } = await call(t, LIST, {}, { token, locale: 'en' })
  const [shown] = numbers.data
  expect(shown?.country.name).toBe('Kazakhstan')
  expect(shown?.messages).toHaveLength(50)
  expect(shown?.messages[0]?.text).toBe('Telegram code: 10052')
  expect((await call(t, 'GET /api/v1/activations/{id}', { id }, { token, locale: 'en' })).data).toEqual(shown)
})
