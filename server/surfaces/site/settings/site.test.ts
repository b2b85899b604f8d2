import { expect, test } from 'vitest'
import { NOTIFICATION_CATEGORIES } from '#contract/notifications/notification.ts'
import { telegramOf } from '#server/house/bot/bot.ts'
import { VERSION } from '#server/house/release.ts'
import { TELEGRAM_TOKEN } from '#test/fakes/telegram/telegram-house.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

const SETTINGS = 'GET /api/content/settings'
const BOT = {
  TELEGRAM_BOT_TOKEN: TELEGRAM_TOKEN,
  TELEGRAM_BOT_NAME: 'ringpost_bot',
  TELEGRAM_CHANNEL: 'ringpost_news',
}

// Checklist 1.4, 3.10 (as far as this version has it): every page needs these facts about the installation.
test('the settings of the site follow its configuration', async () => {
  await using t = await startTestApp({
    environment: {
      CAPTCHA_ENABLED: '2',
      REALTIME_APP_KEY: 'other-key',
      LOCALES: 'en',
      DEMO: '1',
      ...BOT,
      TELEGRAM_SUBSCRIBE_REWARD_RUB: '50.5',
    },
  })
  expect(await call(t, SETTINGS, {})).toEqual({
    alerts: [],
    currency: 'rub',
    locales: ['en'],
    captchaEnabled: '2',
    captchaKey: '/api/v1/captcha',
    telegramSubscribeReward: '50.50',
    notificationCategories: [...NOTIFICATION_CATEGORIES],
    closedPages: [],
    realtime: { key: 'other-key', port: 0, tls: false, publicUrl: '' },
    authProviders: [],
    sentryDsn: '',
    demo: true,
    version: VERSION,
  })
})

// Checklist 1.17: the reward is in the currency of the account. The settings show no reward if none is set in that
// currency, or if no bot can check the channel.
test('the reward for subscribing is that of the account’s currency', async () => {
  await using t = await startTestApp({ environment: { ...BOT, TELEGRAM_SUBSCRIBE_REWARD_RUB: '50' } })
  const [inRub, inUsd] = [await t.makeUser(), await t.makeUser({ currency: 'usd' })]
  expect((await call(t, SETTINGS, {}, inRub)).telegramSubscribeReward).toBe('50.00')
  expect((await call(t, SETTINGS, {}, inUsd)).telegramSubscribeReward).toBe('0.00')
  telegramOf(t.ctx).bot = null
  expect((await call(t, SETTINGS, {}, inRub)).telegramSubscribeReward).toBe('0.00')
})

test('closed pages are named to everybody but the users who may enter', async () => {
  await using t = await startTestApp()
  const [user, editor] = [await t.makeUser(), await t.makeUser()]
  t.ctx.config.closedPages = ['blog']
  t.ctx.config.closedPagesUserIds = [editor.id]
  const closedFor = async (token?: string) =>
    (await call(t, SETTINGS, {}, token === undefined ? {} : { token })).closedPages
  expect([await closedFor(), await closedFor(user.token), await closedFor(editor.token)]).toEqual([
    ['blog'],
    ['blog'],
    [],
  ])
})

// Checklist 7.2: the headers Locale and Zone choose language and currency. An account keeps its own currency.
test('the zone is named by the header or the host, and gives currency and language', async () => {
  const zones = [
    { name: 'ru', hosts: ['ringpost.ru'], currency: 'rub', locales: ['ru', 'en'] },
    { name: 'com', hosts: ['127.0.0.1'], currency: 'usd', locales: ['en'] },
    { name: 'drafts', hosts: ['drafts.test'], currency: 'usd', locales: ['ru', 'es'] },
  ]
  await using t = await startTestApp({ environment: { ZONES: JSON.stringify(zones) } })
  await t.addFake()
  const price = { service_id: 'tg', country_id: 2 }
  const priceIn = async (headers: HeadersInit) => (await call(t, 'GET /api/price', price, { headers })).data
  expect(await priceIn({})).toMatchObject({ currency: 'usd', price: '0.1445' })
  expect(await priceIn({ zone: 'ru' })).toMatchObject({ currency: 'rub', price: '13.00' })
  expect(await priceIn({ zone: 'nosuch' })).toMatchObject({ currency: 'usd' })
  const nameIn = async (headers: HeadersInit) =>
    (await call(t, 'GET /api/countries', { search: 'kazakh' }, { headers })).countries[0]?.name
  expect(await nameIn({ zone: 'ru' })).toBe('Казахстан')
  expect(await nameIn({ zone: 'ru', locale: 'en-GB' })).toBe('Kazakhstan')
  expect(await nameIn({ zone: 'com', locale: 'ru' })).toBe('Kazakhstan')
  expect(await nameIn({ zone: 'ru', locale: '<script>' })).toBe('Казахстан')
  expect(await nameIn({ zone: 'ru', locale: 'es' })).toBe('Казахстан')
  expect(await nameIn({ zone: 'drafts', locale: 'es' })).toBe('Kazakhstan')
  const buyer = await t.makeUser({ currency: 'rub' })
  const { data } = await call(t, 'GET /api/price', price, { token: buyer.token })
  expect(data).toMatchObject({ currency: 'rub', price: '13.00' })
})
