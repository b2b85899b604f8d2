import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSeedTable } from '#server/house/seed/read-seed-table.ts'
import { nameService, seedBook } from '#test/builders/sender-book.ts'
import { usualTexts } from '#test/tables/usual-texts.ts'
import { NAMING_VERSION } from './naming.ts'
import { readSeedSigns } from './seed.ts'

const book = seedBook()
const GATEWAY = 'AUTHMSG'

test.each(usualTexts)('%s is named with the code %s by %j', (services, _code, text) => {
  const naming = nameService(book, { sender: GATEWAY, text })
  expect(naming).toMatchObject({ kind: 'named', services: services.split(' ') })
})

/** Misleading messages. A result lists services, `?` with hinted services, or a kind of naming. */
test.each<[sender: string, text: string, named: string]>([
  ['Instagram', '482913 is your code', 'ig'],
  ['facebook ', '482913 is your code', 'fb ig vy'],
  ['Facebook', '482 913 is your Instagram code', 'ig'],
  ['Yandex', 'Your confirmation code is 482-913. Please enter it in the text field.', 'ya wf aej'],
  ['AUTHMSG', 'Your confirmation code is 482-913. Please enter it in the text field.', '? ya wf aej'],
  ['VKcom', 'Ваш код: 482913', 'vk ok ma lb ym'],
  ['7065676966797975', '482913 is your code', 'fb ig vy'],
  ['71826566', '482913 is your code', 'jg'],
  // Prefixes and suffixes of Indian operators are cut off, so the sender `VK-SWIGGY` is not VK.
  ['VK-SWIGGY', '4821 is your code', 'jx'],
  ['JD-IPAYTM-S', '4821 is your code', 'ge'],
  ['VK-NOBODY-T', '4821 is your code', 'none'],
  ['WhatsApp', 'Your Uber code is 4821', 'ub'],
  ['Uber', '<#> Your WhatsApp code: 482-913', 'wa bye'],
  ['AX-HDFCBK-S', '482913 is OTP for txn of INR 500.00 at AMAZON on card XX1234', 'agp'],
  ['AX-ICICIT', '482913 is OTP for txn of INR 500.00 at AMAZON on card XX1234', 'none'],
  ['57575', 'HDFC Bank: 482913 is the OTP for Rs 5,000.00 at UBER, card XX1234', 'agp'],
  ['57575', 'Use 482913 to add your card ending 1234 to Apple Pay', 'none'],
  ['AUTHMSG', 'Your Google Cloud code is 482913', 'go'],
  ['AUTHMSG', 'Код Яндекс Маркета: 482913', 'ya wf aej'],
  ['AUTHMSG', '482913 is your Hinge Health verification code', 'none'],
  ['AUTHMSG', 'Your Telegram Wallet code: 48213', 'none'],
  ['AUTHMSG', '48213 is your Telegram Stars shop code', 'none'],
  ['Okta', 'Your Google Workspace code is 482913', '? lr'],
  ['AX-HDFCBK-S', '482913 is OTP for Amazon Pay', 'agp'],
  ['AX-HDFCBK-S', '482913 is OTP for WhatsApp banking', 'agp'],
  ['AUTHMSG', '【Acme】微信登录验证码482913', 'none'],
  ['AUTHMSG', '【腾讯科技】微信登录验证码482913', 'wb'],
  ['AUTHMSG', '【新浪】微信登录验证码482913', '? kf'],
  ['AUTHMSG', 'trivago: your Google login code is 482913', 'none'],
  ['AUTHMSG', 'trivago: your Google code is 482913', 'go'],
  ['AUTHMSG', 'Your Google code is 482913. - Rydoo', 'none'],
  ['AUTHMSG', 'Upwork: your Google login code is 482913', 'abq'],
  ['AUTHMSG', '[Acme] 카카오톡 로그인 인증번호 482913', 'none'],
  ['AUTHMSG', '482913 is your Facebook login code for Acme', 'none'],
  ['AUTHMSG', '482913 is your Facebook login code for Android', 'fb'],
  ['AUTHMSG', 'Code 482913. Tell it to nobody, even WhatsApp', 'none'],
  ['Uber', 'Your code for WhatsApp is 482913', '? ub'],
  ['AUTHMSG', 'Ваш код: 4821. Новости в нашем Telegram', 'none'],
  ['AUTHMSG', 'Win a prize today https://t.me/prize', 'none'],
  ['INFO', 'Ваш код 1234. Мы в Telegram: t.me/shop', 'none'],
  ['SHOP', 'Код 1234. Скачайте приложение в Google Play', 'none'],
  ['GOSUSLUGI', 'Код 1234 для входа на Госуслуги. Не передавайте его в Telegram', 'none'],
  ['AUTHMSG', 'Код: 1234. Вход через Telegram: t.me/shop_bot?start=1234', 'none'],
  ['AUTHMSG', '4321 - ваш код. Следите за нами ВКонтакте: vk.com/shop', 'none'],
  ['AUTHMSG', 'Sign in with Google code: 123456', 'none'],
  ['AUTHMSG', 'VPN Telegram: ваш код 5555', 'none'],
  ['AUTHMSG', 'Код для привязки карты *1234 к Yandex: 1234', 'none'],
  ['900', 'Покупка 199р GOOGLE PLAY. Код подтверждения: 1234. Никому его не сообщайте', 'none'],
  ['T-Bank', 'Никому не говорите код 1234! Оплата 99.00р. GOOGLE YOUTUBE', '? apj'],
  ['AUTHMSG', 'Code 1234 to pay UBER 12.00', 'none'],
  ['AUTHMSG', 'Код 1234. Списание 300 в пользу TIKTOK', 'none'],
  ['AUTHMSG', 'Code 48213, or open https://t.me/login/48213', 'tg eh'],
  ['AUTHMSG', 'Your code is 4821. telegram.example.com', 'none'],
  ['AUTHMSG', 'WhatsApp: chat with friends all over the world', 'mention wa bye'],
  ['+447900000000', 'Скидки до 50% на всё! Подробности в нашем Telegram', 'none'],
  ['AUTHMSG', 'Telegram Premium', 'mention tg eh'],
  ['AUTHMSG', 'WhatsApp: 482-913', 'wa bye'],
  ['AUTHMSG', 'Tap to get your WhatsApp code', 'wa bye'],
  ['WhatsApp', 'WhatsApp: chat with friends all over the world', 'wa bye'],
  ['AUTHMSG', 'Telegram: tap to sign in https://t.me/login', 'tg eh'],
  ['MegaFon', 'Подключите Telegram без трафика! Код акции 48213', 'operator'],
  ['Beeline', '<#> Your WhatsApp code: 482-913\n4sgLq1p5sV6', 'wa bye'],
  ['AX-AIRTEL-S', 'Your data pack of 2GB ends today', 'operator'],
  ['AX-AIRTEL-S', '4821 is your OTP to sign in', 'zl'],
  ['AUTHMSG', 'Your GoFundMe code is 482913', '? bp'],
  ['AUTHMSG', 'Alfa bravo. Your code is 482913', 'none'],
  ['', '', 'none'],
])('%j sends %j: %s', (sender, text, expected) => {
  const naming = nameService(book, { sender, text })
  const said = { named: '', hinted: '? ', operator: 'operator', mentioned: 'mention ', none: 'none' }[naming.kind]
  expect(`${said}${'services' in naming ? naming.services.join(' ') : ''}`).toBe(expected)
})

/** Brands that are ordinary words too are never named in ordinary text. */
test.each([
  'Please hold the line, your code is 4821',
  'OK, your code is 4821. OK?',
  'Signal is weak here. Your code is 4821',
  'Bolt the door at 10. PIN 4821',
  'The max speed is 4821, code accepted. MAX power',
  'X marks the spot: code 4821',
  'Meta data: your code is 4821',
  'Grab your 50% off now with code 4821',
  'Steam engine. Your code is 4821',
  'Ваш код 4821. Лента новостей, магнит и самокат',
  'Lime juice and a wish: 4821',
])('an ordinary word names nobody: %j', (text) => {
  expect(nameService(book, { sender: GATEWAY, text })).toEqual({ kind: 'none' })
})

test('a text without a brand from a generic sender names nobody, whatever it says', () => {
  const words = fc.constantFrom(
    'your',
    'code',
    'is',
    '4821',
    '482-913',
    'Ваш',
    'код',
    'никому',
    ':',
    '.',
    '\n',
    '验证码',
    '【',
    '】',
  )
  const text = fc.array(fc.oneof(words, fc.string({ unit: fc.constantFrom('j', ' ', '#', '@', '[', ']', '<') })), {
    maxLength: 40,
  })
  const sender = fc.constantFrom('AUTHMSG', 'Verify', 'Phone Code', 'otp', '+447900000000', '22395', '', 'XX-INFO-S')
  fc.assert(
    fc.property(sender, text, (from, parts) => {
      expect(nameService(book, { sender: from, text: parts.join(' ') })).toEqual({ kind: 'none' })
    }),
    { numRuns: 1_000 },
  )
  expect(NAMING_VERSION).toBe(6)
})

test('each product belongs to a brand that has words', () => {
  const rows = readSeedTable(new URL('seed/products.tsv', import.meta.url).href, ['code', 'products'])
  const known = new Set(readSeedSigns().flatMap(({ kind, serviceCode }) => (kind === 'word' ? [serviceCode] : [])))
  expect(rows.filter(({ code, products }) => !known.has(code) || /^$|\|\||^\||\|$/.test(products))).toEqual([])
  expect(new Set(rows.map(({ code }) => code)).size).toBe(rows.length)
})

test('families, and whose messages are told by more than a name', () => {
  expect(['fb', 'ig', 'vy'].map((code) => book.familyOf(code))).toEqual(['meta', 'meta', 'meta'])
  expect(['tg', 'eh', 'aa'].map((code) => book.familyOf(code))).toEqual(['telegram', 'telegram', 'aa'])
  expect(['tg', 'eh', 'ds', 'xt', 'ya', 'gf'].filter((code) => !book.sendersKnown(code))).toEqual([])
  expect(['sg', 'uu', 'ok', 'bp', 'ot', 'full'].filter((code) => book.sendersKnown(code))).toEqual([])
})
