import { expect, test } from 'vitest'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { notify } from './notify.ts'
import type { Raised } from './queries/raise.ts'

const LIST = 'GET /api/v1/notifications'
const READ = 'POST /api/v1/notifications/{id}/read'
const READ_ALL = 'POST /api/v1/notifications/read'

const credit = (user: TestUser, dedupeKey: string): Raised => ({
  userId: user.id,
  link: '/history?view=payments',
  dedupeKey,
  kind: 'payment-credited',
  details: { amountMicros: '500000000', currency: 'rub' },
})
const device = (user: TestUser, dedupeKey: string): Raised => ({
  userId: user.id,
  link: '/settings/sessions',
  dedupeKey,
  kind: 'new-device',
  details: { device: 'Firefox, Linux', address: '203.0.113.7' },
})

const tell = (t: TestApp, raised: Raised) => notify(t.ctx.db, raised, t.clock.now())

async function countOf(t: TestApp, { token }: TestUser): Promise<number> {
  return (await call(t, 'GET /api/user', {}, { token })).notifications_count
}

test('1.10: what is told stands in the list of its reader alone, in the language of the page', async () => {
  await using t = await startTestApp()
  const [anna, boris] = [await t.makeUser(), await t.makeUser()]
  expect(await call(t, LIST, {}, anna)).toMatchObject({ notifications: [], next: null, notifications_count: 0 })
  expect(await tell(t, credit(anna, 'payment:1'))).toBe(true)
  await tell(t, device(anna, 'session:1'))
  const inRussian = await call(t, LIST, {}, { ...anna, locale: 'ru' })
  expect(inRussian.notifications).toMatchObject([
    { category: 'security', title: 'Вход с нового устройства', read: false, link: '/settings/sessions' },
    { category: 'payments', title: 'Зачислено 500,00\u00a0₽' },
  ])
  const inEnglish = await call(t, LIST, { category: 'payments' }, { ...anna, locale: 'en' })
  expect(inEnglish).toMatchObject({ notifications: [{ title: '500.00\u00a0₽ credited' }], notifications_count: 2 })
  expect([await countOf(t, anna), await countOf(t, boris)]).toEqual([2, 0])

  const id = inEnglish.notifications[0]?.id ?? 0
  expect((await refused(t, READ, { id }, boris)).body.code).toBe('NOT_FOUND')
  expect(await call(t, READ, { id }, anna)).toEqual({ status: true, notifications_count: 1 })
  expect(await call(t, READ, { id }, anna)).toEqual({ status: true, notifications_count: 1 })
  for (const wrong of [0, -1, 'x', 1.5]) {
    expect((await refused(t, READ, { id: wrong }, anna)).body.code).toBe('INVALID_INPUT')
  }
  for (const filter of [{ category: 'nosuch' }, { before: 'x' }, { per_page: 0 }, { per_page: 101 }, { page: 2 }]) {
    expect((await refused(t, LIST, filter, anna)).body.code).toBe('INVALID_INPUT')
  }
  expect((await refused(t, LIST, {})).body.code).toBe('UNAUTHENTICATED')
})

test('the same cause is told once, however many tell it at the same time', async () => {
  await using t = await startTestApp()
  const [anna, boris] = [await t.makeUser(), await t.makeUser()]
  const tries = Array.from({ length: 8 }, () => tell(t, credit(anna, 'payment:1')))
  expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
  expect(await tell(t, credit(boris, 'payment:1'))).toBe(true)
  expect([await countOf(t, anna), await countOf(t, boris)]).toEqual([1, 1])
})

test('4.13: open tabs hear of it once, with isSocket and the words of both languages', async () => {
  await using t = await startTestApp()
  const anna = await t.makeUser()
  using live = await listen(t, anna)
  await tell(t, credit(anna, 'payment:1'))
  await t.runJobs()
  expect(await live.next('NewUserNotification')).toMatchObject({
    isSocket: true,
    category: 'payments',
    kind: 'payment-credited',
    read: false,
    notifications_count: 1,
    words: { ru: { title: 'Зачислено 500,00\u00a0₽' }, en: { title: '500.00\u00a0₽ credited' } },
  })
})

test('older ones follow by the last one shown, and reading all leaves what came meanwhile', async () => {
  await using t = await startTestApp()
  const anna = await t.makeUser()
  for (let n = 1; n <= 5; n += 1) await tell(t, credit(anna, `payment:${n}`))
  const first = await call(t, LIST, { per_page: 2 }, anna)
  const second = await call(t, LIST, { per_page: 2, before: first.next ?? 0 }, anna)
  const third = await call(t, LIST, { per_page: 2, before: second.next ?? 0 }, anna)
  const all = [first, second, third].flatMap(({ notifications }) => notifications.map(({ id }) => id))
  expect(all).toEqual([...new Set(all)].toSorted((a, b) => b - a))
  expect([all.length, third.next]).toEqual([5, null])

  const upTo = first.notifications[0]?.id ?? 0
  const arrivals = [6, 7, 8].map((n) => tell(t, credit(anna, `payment:${n}`)))
  await Promise.all([call(t, READ_ALL, { up_to: upTo }, anna), ...arrivals])
  expect(await countOf(t, anna)).toBe(3)
  await tell(t, device(anna, 'session:1'))
  const newest = (await call(t, LIST, { per_page: 1 }, anna)).notifications[0]?.id ?? 0
  expect(await call(t, READ_ALL, { up_to: newest, category: 'security' }, anna)).toMatchObject({
    notifications_count: 3,
  })
  expect((await refused(t, READ_ALL, {}, anna)).body.code).toBe('INVALID_INPUT')
})

test('the count costs a page no question of its own', async () => {
  await using t = await startTestApp()
  const anna = await t.makeUser()
  const asked: string[] = []
  const { query } = t.ctx.db
  t.ctx.db.query = (input) => {
    asked.push(input.name ?? input.text)
    return query.call(t.ctx.db, input) as ReturnType<typeof query<never>>
  }
  await countOf(t, anna)
  const without = [...asked]
  await tell(t, credit(anna, 'payment:1'))
  asked.length = 0
  expect(await countOf(t, anna)).toBe(1)
  expect(asked).toEqual(without)
  expect(asked.filter((name) => name.includes('notification'))).toEqual([])
})
