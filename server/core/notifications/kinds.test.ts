import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { sweepPreorders } from '#server/core/numbers/preorders/sweep.ts'
import { cleanUp } from '#server/house/jobs/clean-up.ts'
import { count } from '#test/builders/activation-rows.ts'
import { sentMails } from '#test/builders/mails.ts'
import { reverse, topUp } from '#test/builders/money/top-ups.ts'
import { payer } from '#test/builders/payments.ts'
import { addFakeGateway } from '#test/fakes/fake-gateway.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, refused, send } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { notify } from './notify.ts'
import { watchPrices } from './prices/watch-prices.ts'
import { spreadOpenNews } from './spread-news.ts'
import { watchBalances } from './watch-balances.ts'

const ENDED = { serviceCode: 'tg', countryId: 2, state: 'expired' } as const
const SETTINGS = 'PATCH /api/v1/notifications/settings'

async function titlesOf(t: TestApp, { id }: TestUser): Promise<string[]> {
  const { token } = await beginTestSession(t.ctx, id)
  const { notifications } = await call(t, 'GET /api/v1/notifications', {}, { token, locale: 'en' })
  return notifications.map(({ title }) => title)
}

test('what is paid in and what is disputed is told once, whatever is asked again', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await t.makeUser({ balance: '0.00' })
  const transaction = await topUp(t, gateway, user, '500.00')
  for (let n = 0; n < 2; n += 1)
    await reverse(t, gateway, { transaction, cents: 50_000, kind: 'dispute', state: 'open' })
  expect(await titlesOf(t, user)).toEqual(['Your payment of 500.00\u00a0₽ is disputed', '500.00\u00a0₽ credited'])
  const { notifications } = await call(t, 'GET /api/v1/notifications', {}, { token: user.token })
  expect(notifications[0]?.link).toBe(`/history?view=payments&payment=${transaction}`)
})

test('a dispute that is over is told once, with who won; one that nobody heard of before is told of as over alone', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const told = async (...states: ('open' | 'won' | 'lost')[]) => {
    const user = await t.makeUser({ balance: '0.00' })
    const transaction = await topUp(t, gateway, user, '500.00')
    using tab = await listen(t, user)
    const live: string[] = []
    for (const state of states) {
      await reverse(t, gateway, { transaction, cents: 50_000, kind: 'dispute', state })
      if (live.length < 2) live.push((await tab.next(state === 'won' ? 'BalanceTopup' : 'PaymentChanged')).currency)
    }
    const { token } = await beginTestSession(t.ctx, user.id)
    const { notifications } = await call(t, 'GET /api/v1/notifications', {}, { token, locale: 'en' })
    const { history } = await call(t, 'GET /api/payments-history', {}, user)
    return {
      news: notifications.map(({ title, text }) => `${title}: ${text}`).slice(0, -1),
      shown: history.data.map(({ state, dispute }) => [state, dispute]),
    }
  }
  const [disputed, over] = [/^Your payment of 500\.00\s₽ is disputed: /u, /^The dispute over 500\.00\s₽ has ended: /u]
  const lost = await told('open', 'lost', 'lost')
  expect(lost.news).toEqual([expect.stringMatching(over), expect.stringMatching(disputed)])
  expect([lost.news[0], lost.shown]).toEqual([
    expect.stringMatching(/stays off your balance\.$/u),
    [['disputed', 'lost']],
  ])
  const won = await told('open', 'won')
  expect(won.news).toEqual([
    expect.stringMatching(/has ended: .* back on your balance\.$/u),
    expect.stringMatching(disputed),
  ])
  expect(won.shown).toEqual([['paid', 'won']])
  expect((await told('lost')).news).toEqual([expect.stringMatching(over)])
  expect((await told('open')).shown).toEqual([['disputed', 'open']])
})

test('a pre-order tells that it has bought, or that its time is over; not that its buyer cancelled it', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('fake', [])
  const buyer = await payer(t, '100.00')
  const wish = { service_id: 'tg', country_id: 2, max_price: '20.00', hours: 24 } as const
  const place = async (more = {}) => (await call(t, 'POST /api/v1/preorders', { ...wish, ...more }, buyer)).data
  await place()
  const { id } = await place({ service_id: 'wa' })
  await call(t, 'POST /api/v1/preorders/{id}/cancel', { id }, buyer)
  await place({ service_id: 'wa', hours: 1 })
  t.clock.advance(2 * HOUR)
  catalogOf(t.ctx).setOffers(supplier.id, [fakeOffer])
  await sweepPreorders(t.ctx)
  expect((await titlesOf(t, buyer)).toSorted()).toEqual([
    'We filled your pre-order: Telegram',
    'Your pre-order has ended: WhatsApp',
  ])
})

test('a balance below its limit is told once for each fall, and not when the limit is set above it', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser({ balance: '100.00' })
  const pay = (amount: string, key: string) =>
    typed(t.database, 'user:credit', user.email, amount, '--key', key, ...WHY)
  const told = async () => {
    await watchBalances(t.ctx)
    return titlesOf(t, user)
  }
  await call(t, SETTINGS, { balance_limit: '150.00' }, user)
  expect(await told()).toEqual([])
  await call(t, SETTINGS, { balance_limit: '50.00' }, user)
  expect(await told()).toEqual([])
  await pay('-60', 'a')
  const low = 'Your balance is below 50.00\u00a0₽'
  expect([await told(), await told()]).toEqual([[low], [low]])
  await pay('60', 'b')
  expect(await told()).toEqual([low])
  t.clock.advance(HOUR - 1)
  await pay('-60', 'c')
  expect(await told()).toEqual([low])
  t.clock.advance(1)
  expect(await told()).toEqual([low, low])
  const session = await beginTestSession(t.ctx, user.id)
  await call(t, SETTINGS, { balance_limit: null }, session)
  for (const balance_limit of ['0', '-1', 'much', '1e3', 5]) {
    expect((await refused(t, SETTINGS, { balance_limit }, session)).body.code).toBe('INVALID_INPUT')
  }
})

test('P-6: a channel of security is turned off after a confirmation alone, and that is told by mail and by what remains', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const turn = (security: string[], session: { token: string } = user) =>
    send(t, SETTINGS, { choices: { security } }, session).then(({ body }) => (body as { code?: string }).code ?? 'OK')
  const late = await beginTestSession(t.ctx, user.id)
  t.clock.advance(6 * MINUTE)
  expect(await turn(['site'], late)).toBe('CONFIRM_PASSWORD')
  expect(await turn([], late)).toBe('CONFIRM_PASSWORD')
  expect(await turn(['push', 'site'], late)).toBe('OK')
  await call(t, SETTINGS, { choices: { news: [], payments: ['mail'] } }, late)
  expect([await titlesOf(t, user), await sentMails(t)]).toEqual([[], []])
  await call(t, 'POST /api/v1/user/confirm-password', { password: user.password }, late)
  expect(await turn(['site'], late)).toBe('OK')
  expect(await titlesOf(t, user)).toEqual(['Some security notifications have been turned off'])
  expect((await sentMails(t)).map(({ to, mail }) => [to, mail.kind])).toEqual([[user.email, 'notification']])
  const other = await beginTestSession(t.ctx, user.id)
  t.clock.advance(6 * MINUTE)
  expect(await turn(['site', 'push'], other)).toBe('OK')
  expect(await turn(['site'], other)).toBe('CONFIRM_PASSWORD')
})

test('a favourite is told when it comes down to the limit, and again only after it was dearer', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('fake', [{ ...fakeOffer, costMicros: 20_000_000n }])
  const user = await t.makeUser({ balance: '0.00' })
  await call(t, 'POST /api/activation/add-to-favorite', { id: 'tg', type: 'service' }, user)
  await call(t, SETTINGS, { price_limit: '15.00' }, user)
  const told = async (offers: (typeof fakeOffer)[]) => {
    catalogOf(t.ctx).setOffers(supplier.id, offers)
    await watchPrices(t.ctx)
    return (await titlesOf(t, user)).length
  }
  const dear = { ...fakeOffer, costMicros: 20_000_000n }
  expect(await told([dear])).toBe(0)
  expect(await told([fakeOffer])).toBe(1)
  expect(await titlesOf(t, user)).toEqual(['Telegram from 13.00\u00a0₽'])
  expect([await told([]), await told([fakeOffer])]).toEqual([1, 1])
  expect([await told([dear]), await told([fakeOffer])]).toEqual([1, 1])
  await told([dear])
  t.clock.advance(DAY)
  expect(await told([fakeOffer])).toBe(2)
})

test('a new price limit tells of nothing that is below it; what falls together is one notice', async () => {
  await using t = await startTestApp()
  const codes = ['tg', 'wa', 'ig', 'fb', 'vk', 'ub', 'go', 'vi']
  const offers = (costMicros: bigint, of = codes) =>
    of.map((serviceCode) => ({ ...fakeOffer, serviceCode, costMicros }))
  const supplier = await t.addFake('fake', offers(10_000_000n))
  const user = await t.makeUser({ balance: '0.00' })
  for (const id of codes) await call(t, 'POST /api/activation/add-to-favorite', { id, type: 'service' }, user)
  const told = async (next: typeof offers extends (...a: never) => infer O ? O : never) => {
    catalogOf(t.ctx).setOffers(supplier.id, next)
    await watchPrices(t.ctx)
    return titlesOf(t, user)
  }
  await call(t, SETTINGS, { price_limit: '15.00' }, user)
  expect(await told(offers(10_000_000n))).toEqual([])
  await told(offers(20_000_000n))
  const cheap = [...offers(10_000_000n, ['wa']), ...offers(11_000_000n, codes.toSpliced(1, 1))]
  expect(await told(cheap)).toEqual(['WhatsApp from 13.00\u00a0₽'])
  const { notifications } = await call(t, 'GET /api/v1/notifications', {}, { ...user, locale: 'en' })
  expect(notifications[0]?.text).toMatch(/Also Facebook, .+ Telegram, \S+ and more\.$/)
  await told(offers(20_000_000n))
  expect(await told(offers(9_000_000n))).toHaveLength(1)
})

test('news reach everybody who was there, in their languages, in batches that no crash repeats', async () => {
  await using t = await startTestApp()
  const people = [await t.makeUser(), await t.makeUser()]
  const words = ['--ru', 'Новые страны|Добавили пять стран.', '--en', 'New countries|We have added five.']
  const send = () => typed(t.database, 'news:send', ...words, '--link', '/price', '--yes', ...WHY)
  expect(await send()).toMatchObject({ code: 0, out: expect.stringContaining('2') })
  const late = await t.makeUser()
  await Promise.all([spreadOpenNews(t.ctx), spreadOpenNews(t.ctx)])
  expect(await spreadOpenNews(t.ctx)).toBe(0)
  for (const person of people) expect(await titlesOf(t, person)).toEqual(['New countries'])
  expect(await titlesOf(t, late)).toEqual([])
  expect(await count(t.ctx, 'audit_log')).toBe(1)
})

test('what was read on the site is not mailed; what was not is, once, where mails of it are wanted', async () => {
  await using t = await startTestApp()
  const [anna, boris] = [await t.makeUser(), await t.makeUser()]
  const answer = (user: TestUser) =>
    notify(
      t.ctx.db,
      {
        userId: user.id,
        kind: 'preorder-ended',
        details: ENDED,
        link: '/history',
        dedupeKey: 'a',
      },
      t.clock.now(),
    )
  for (const user of [anna, boris]) await answer(user)
  await t.runJobs()
  expect(await sentMails(t)).toEqual([])
  const { notifications } = await call(t, 'GET /api/v1/notifications', {}, anna)
  await call(t, 'POST /api/v1/notifications/{id}/read', { id: notifications[0]?.id ?? 0 }, anna)
  await t.hurryJobs()
  expect(await sentMails(t)).toMatchObject([{ to: boris.email, mail: { kind: 'notification', link: '/history' } }])
})

test('channels are chosen by category: without the site nothing is listed, without any nothing is kept', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const tell = (dedupeKey: string) =>
    notify(
      t.ctx.db,
      { userId: user.id, kind: 'ticket-answer', details: { subject: 'SMS?' }, link: null, dedupeKey },
      t.clock.now(),
    )
  const chosen = await call(t, SETTINGS, { choices: { support: ['mail'], security: ['site', 'mail'] } }, user)
  expect(chosen.choices).toMatchObject({ support: ['mail'], security: ['site'], news: ['site'] })
  expect(await tell('a')).toBe(true)
  expect(await titlesOf(t, user)).toEqual(['Some security notifications have been turned off'])
  expect((await call(t, 'GET /api/user', {}, user)).notifications_count).toBe(0)
  await call(t, SETTINGS, { choices: { support: [] } }, user)
  expect(await tell('b')).toBe(false)
  expect(await count(t.ctx, 'notifications')).toBe(2)
  expect((await call(t, 'GET /api/v1/notifications/settings', {}, user)).choices.support).toEqual([])
  for (const choices of [{ nosuch: ['site'] }, { news: ['sms'] }, { news: 'site' }, []]) {
    expect((await refused(t, SETTINGS, { choices }, user)).body.code).toBe('INVALID_INPUT')
  }
})

test('what is older than half a year goes, and nobody keeps more than ten thousand', async () => {
  await using t = await startTestApp()
  const [old, busy] = [await t.makeUser(), await t.makeUser()]
  const fill = (user: TestUser, many: number) =>
    t.ctx.db.query({
      text: `INSERT INTO notifications (user_id, category, kind, details, dedupe_key, channels, created_at)
        SELECT $1, 'news', 'new-device', '{}', n::text, '{site}', $3 FROM generate_series(1, $2) n`,
      values: [user.id, many, t.clock.now()],
    })
  await fill(old, 5)
  t.clock.advance(181 * DAY)
  await fill(busy, 10_003)
  await cleanUp(t.ctx)
  const { rows } = await t.ctx.db.query({ text: 'SELECT user_id, count(*) FROM notifications GROUP BY user_id' })
  expect(rows).toEqual([{ user_id: busy.id, count: 10_000n }])
})
