import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { sweepPreorders } from '#server/core/numbers/preorders/sweep.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { notify } from './notify.ts'

const countOf = async (t: TestApp, { token }: { token: string }) =>
  (await call(t, 'GET /api/user', {}, { token })).notifications_count

async function signIn(t: TestApp, user: TestUser, browser: 'Chrome' | 'Firefox'): Promise<TestUser> {
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Mozilla/5.0 (X11; Linux x86_64) ${browser}/145.0`,
  }
  const body = JSON.stringify({ email: user.email, password: user.password })
  const reply = await t.fetch('/api/login', { method: 'POST', body, headers })
  const { token, user: shown } = (await reply.json()) as { token: string; user: { notifications_count: number } }
  expect(shown.notifications_count).toBe(0)
  return { ...user, token }
}

test('a device that just signed in does not count itself; every other one does, in open tabs too', async () => {
  await using t = await startTestApp()
  const known = await signIn(t, await t.makeUser(), 'Chrome')
  const fresh = await signIn(t, known, 'Firefox')
  using knownTab = await listen(t, known)
  using freshTab = await listen(t, fresh)
  await t.runJobs()
  const common = { kind: 'new-device', isSocket: true }
  expect(await knownTab.next('NewUserNotification')).toMatchObject({ ...common, read: false, notifications_count: 1 })
  expect(await freshTab.next('NewUserNotification')).toMatchObject({ ...common, read: true, notifications_count: 0 })
  const news = { kind: 'news', details: { ru: { title: 'а', text: 'б' }, en: { title: 'a', text: 'b' } } } as const
  await notify(t.ctx.db, { ...news, userId: known.id, link: null, dedupeKey: 'news:1' }, t.clock.now())
  await t.runJobs()
  expect(await knownTab.next('NewUserNotification')).toMatchObject({ kind: 'news', notifications_count: 2 })
  expect(await freshTab.next('NewUserNotification')).toMatchObject({ kind: 'news', notifications_count: 1 })
  expect([await countOf(t, known), await countOf(t, fresh)]).toEqual([2, 1])
  const listed = async ({ token }: TestUser) =>
    (await call(t, 'GET /api/v1/notifications', {}, { token })).notifications.map(({ kind, read }) => [kind, read])
  expect(await listed(known)).toEqual([
    ['news', false],
    ['new-device', false],
  ])
  expect(await listed(fresh)).toEqual([
    ['news', false],
    ['new-device', true],
  ])
})

test('who turns off a channel of security counts nothing; another session of theirs does', async () => {
  await using t = await startTestApp()
  const known = await signIn(t, await t.makeUser(), 'Chrome')
  const fresh = await signIn(t, known, 'Firefox')
  await call(t, 'PATCH /api/v1/notifications/settings', { choices: { security: ['site'] } }, { token: fresh.token })
  expect([await countOf(t, known), await countOf(t, fresh)]).toEqual([2, 0])
})

test('a pre-order that its press has bought arrives read; one that waited, or was placed by a key, is counted', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('fake', [])
  const buyer = await t.makeUser({ balance: '100.00' })
  const key = await t.makeApiKey(buyer)
  const wish = { service_id: 'tg', country_id: 2, max_price: '20.00', hours: 24 } as const
  const buy = async () => {
    catalogOf(t.ctx).setOffers(supplier.id, [fakeOffer])
    await sweepPreorders(t.ctx)
    catalogOf(t.ctx).setOffers(supplier.id, [])
    await t.runJobs()
  }
  using tab = await listen(t, buyer)
  await call(t, 'POST /api/v1/preorders', wish, buyer)
  await buy()
  expect(await tab.next('NewUserNotification')).toMatchObject({
    kind: 'preorder-bought',
    read: true,
    notifications_count: 0,
  })
  await call(t, 'POST /api/v1/preorders', wish, buyer)
  t.clock.advance(2 * MINUTE)
  await buy()
  expect(await tab.next('NewUserNotification')).toMatchObject({
    kind: 'preorder-bought',
    read: false,
    notifications_count: 1,
  })
  await call(t, 'POST /api/v1/preorders', wish, { token: key })
  await buy()
  expect(await countOf(t, buyer)).toBe(2)
})

test('the page that tells of a payment reads its notice by the link, and nobody else’s', async () => {
  await using t = await startTestApp()
  const [anna, boris] = [await t.makeUser(), await t.makeUser()]
  const credit = { kind: 'payment-credited', details: { amountMicros: '1000000', currency: 'rub' } } as const
  const link = '/history?view=payments&payment=RP-1'
  for (const { id } of [anna, boris])
    await notify(t.ctx.db, { ...credit, userId: id, link, dedupeKey: 'one' }, t.clock.now())
  await notify(t.ctx.db, { ...credit, userId: anna.id, link: `${link}0`, dedupeKey: 'two' }, t.clock.now())
  const read = await call(t, 'POST /api/v1/notifications/read-link', { link }, anna)
  expect(read.notifications_count).toBe(1)
  expect(await countOf(t, boris)).toBe(1)
  for (const wrong of ['', 'https://elsewhere.test', `/${'a'.repeat(300)}`]) {
    const reply = await refused(t, 'POST /api/v1/notifications/read-link', { link: wrong }, anna)
    expect(reply.body.code).toBe('INVALID_INPUT')
  }
  expect((await refused(t, 'POST /api/v1/notifications/read-link', { link })).body.code).toBe('UNAUTHENTICATED')
})
