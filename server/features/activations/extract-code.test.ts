import fc from 'fast-check'
import { expect, test } from 'vitest'
import { extractCode, extractCodes } from './extract-code.ts'

test.each([
  ['tg', 'Telegram code: 48213\n\nYou can also tap on this link to log in:\nhttps://t.me/login/99999', '48213'],
  ['tg', 'Код 12345. Никому его не сообщайте', '12345'],
  ['wa', 'Ваш код WhatsApp: 123-456. Не сообщайте его никому', '123456'],
  ['go', 'G-123456 is your Google verification code.', '123456'],
  ['go', '123456 is your verification code', '123456'],
  ['vk', 'VK: 12345 – ваш код для входа', '12345'],
  ['ub', 'Your Uber code is 1234. Never share this code. Reply STOP ALL to +44 7903 561836', '1234'],
  ['am', '482913 is your Amazon OTP. Do not share it', '482913'],
  ['ot', 'Use 482 913 to sign in', '482913'],
  ['ot', 'Kode OTP Anda 913482, jangan berikan', '913482'],
  ['ot', '您的验证码是 123456，5分钟内有效', '123456'],
  ['ot', 'Your code: AB12CD', 'AB12CD'],
  ['ot', 'Код подтверждения 12-34-56', '123456'],
  ['ot', 'Login at 12:30 with code 9921', '9921'],
  ['ot', '2024-05-06 code 7788', '7788'],
  ['ot', 'PIN: 0012', '0012'],
  ['ot', '<#> 123456 is your code. FA+9qCX9VSu', '123456'],
  ['ot', 'code 12345: valid for 10 minutes', '12345'],
  ['mt', 'ABC12 is your Steam code', 'ABC12'],
])('%s: %j holds %s', (service, text, code) => {
  expect(extractCode(service, text)).toBe(code)
})

test.each([
  'Call +79161234567',
  'Ваш баланс 1000.50 руб.',
  'no digits at all',
  'https://example.com/123456',
  'Order #445566 ready',
  'Your code is: 1234567890',
  '',
])('%j holds no code: the text itself is shown', (text) => {
  expect(extractCode('ot', text)).toBeNull()
})

test('whatever the text, a code is 4 to 8 letters and digits of it, so that no client’s parsing breaks', () => {
  const words = fc.constantFrom(
    'code',
    'Код',
    ':',
    ' ',
    '-',
    '12',
    '345',
    '9'.repeat(9),
    '\n',
    'is',
    'A1B2',
    '🌲',
    '.',
    'G-',
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(words, { maxLength: 30 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(fc.constantFrom('tg', 'wa', 'go', 'mt', 'ot'), text, (service, said) => {
      const code = extractCode(service, said)
      // The same when the service becomes known only later.
      const { own, general } = extractCodes(said)
      expect(own[service] ?? general).toBe(code)
      if (code === null) return
      expect(code).toMatch(/^[A-Za-z0-9]{4,8}$/)
      expect(said.replaceAll(/[ -]/g, '')).toContain(code)
    }),
    { numRuns: 2_000 },
  )
})
