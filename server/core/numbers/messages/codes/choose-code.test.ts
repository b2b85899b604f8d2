import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { readMessage } from '#server/core/numbers/messages/reading.ts'
import { seedBook } from '#test/builders/sender-book.ts'
import { usualTexts } from '#test/tables/usual-texts.ts'
import { chooseCode } from './choose-code.ts'
import { readText } from './message-text.ts'
import { ownCodes } from './own-codes.ts'
import { toAsciiDigits, toPlain } from './plain-text.ts'

function extractCode(serviceCode: string, said: string, phone?: string): string | null {
  const text = readText(said)
  const { code } = chooseCode(text, phone)
  return ownCodes(text, code)[serviceCode]?.value ?? code?.value ?? null
}

test.each(usualTexts)('%s: %s is the code of %j', (services, code, text) => {
  expect(extractCode(services.split(' ')[0] ?? '', text)).toBe(code)
})

test('a usual text gives its code, whatever the first three of six digits are', () => {
  const wrong: string[] = []
  for (const [services, code, text] of usualTexts) {
    if (!/^\d{6}$/.test(code)) continue
    const written = new RegExp(`${code.slice(0, 3)}([ -]?)${code.slice(3)}`, 'g')
    for (let number = 0; number < 1_000; number += 1) {
      const first = String(number).padStart(3, '0')
      const said = text.replaceAll(written, `${first}$1${code.slice(3)}`)
      if (extractCode(services.split(' ')[0] ?? '', said) !== first + code.slice(3)) wrong.push(said)
    }
  }
  expect(wrong).toEqual([])
})

/** Texts from real messages that mislead. Null means that the text holds no code and is shown as it is. */
test.each<[text: string, code: string | null]>([
  ['Код 12345. Никому его не сообщайте', '12345'],
  ['123456 is your verification code', '123456'],
  ['Use 482 913 to sign in', '482913'],
  ['482913', '482913'],
  ['Kode OTP Anda 913482, jangan berikan', '913482'],
  ['PIN: 0012', '0012'],
  ['Код подтверждения 12-34-56', '123456'],
  ['code 4 8 2 9 1 3', '482913'],
  ['code (4821)', '4821'],
  ['验证码【482913】', '482913'],
  ['验证码（482913）', '482913'],
  ['인증번호 [482913]', '482913'],
  ['code：４８２９１３', '482913'],
  ['رمز التحقق ٤٨٢٩١٣', '482913'],
  ['کد شما ۴۸۲۹۱۳ است', '482913'],
  ['आपका कोड ४८२९१३ है', '482913'],
  ['আপনার কোড ৪৮২৯১৩', '482913'],
  ['รหัส ๔๘๒๙๑๓', '482913'],
  ['ကုဒ် ၄၈၂၉၁၃', '482913'],
  ['code:\u200e482\u200b-913', '482913'],
  ['ABc-482913 is the code', '482913'],
  ['code4821', '4821'],
  ["Your PIN 4821Don't share", '4821'],
  ['<#> 123456 is your code. FA+9qCX9VSu', '123456'],
  ['code 482-913FA+9qCX9VSu', '482913'],
  ['Your code: FA+9qCX9VSu', null],
  ['Login at 12:30 with code 9921', '9921'],
  ['2024-05-06 code 7788', '7788'],
  ['22.11.2026 code 7788, valid till 2026-12-31 10:15', '7788'],
  ['In 2026 your code is 7766', '7766'],
  ['code 12345: valid for 10 minutes', '12345'],
  ['code 4821 15 min', '4821'],
  ['You have 1440 minutes to enter the code 4821', '4821'],
  ['您的验证码是 123456，5分钟内有效', '123456'],
  ['Your OTP for Rs 5,000.00 at AMAZON on card XX1234 is 482913', '482913'],
  ['OTP 482913 for Rs. 2500 on a/c 8866', '482913'],
  ['4821 是尾号8866的验证码，消费¥2000', '4821'],
  ['Код 4821 для оплаты 2500 руб., карта *1234', '4821'],
  ['Code: 482913 (Ref: 5566). Ticket 55667788', '482913'],
  ['Ваш баланс 1000.50 руб.', null],
  ['Order #445566 ready', null],
  ['Your code is #482913', '482913'],
  ['Your code is 4821. Reply STOP ALL to +44 7903 561836', '4821'],
  ['Your code is 4821. Text STOP to 22395', '4821'],
  ['Call +79161234567', null],
  ['Call 8 916 123 45 67 for a code', null],
  ['Kode 482913. Hubungi 1500 746', '482913'],
  ['Your code is: 1234567890', null],
  ['https://example.com/123456', null],
  ['Your code: 482913, or open https://example.com/482913', '482913'],
  ['Confirm: t.me/login/48213 or enter the code 48213', '48213'],
  ['Sign in.\n@example.com #482913 %frame.example', '482913'],
  ['Your code: AB12CD', 'AB12CD'],
  ['Your code is ABC-DEF.', 'ABCDEF'],
  ['Your code: k3j5h6g7', 'k3j5h6g7'],
  ['Your code is READY at the desk', null],
  ['Flight AB1234 leaves', null],
  [
    '481920 ist der Pay Aktivierungscode für deine Beispiel Karte Endziffer-3307. Dieser Code verliert seine Gültigkeit nach 5 Minuten.',
    '481920',
  ],
  ['Example SMS Token\n\nOne-Time Password:\nKJHGFDSA\n\nExpiration Date: TUE Jan 05 12:00:00 CET 2027', null],
  ["[ABC]\nCode d'authentification : QRSW4T", 'QRSW4T'],
  ['388-941-', '388941'],
  ['Code 482913, Karte endet auf 3307, dieser Code gilt bis 2027', '482913'],
  ['Código 482913, tarjeta terminada en 3307, código válido en 2027', '482913'],
  ['Code 482913 pour la carte se terminant par 3307, code valable en 2027', '482913'],
  ['Kod 482913 dla karty z końcówką 3307. Kod ważny do 2027', '482913'],
  ['Kód 482913 pro kartu končící 3307. Kód platí do 2027', '482913'],
  ['Kód: 482913, 3307-re végződő kártya, a kód 2027-ig él', '482913'],
  ['Son 4 hanesi 3307 olan kart için şifreniz 482913', '482913'],
  ['Код 482913, карта оканчивается на 3307. Код действует до 2027 года', '482913'],
  ['Koodi 482913, kortti päättyy 3307', '482913'],
  ['尾号3307的卡验证码482913', '482913'],
  ['末尾3307のカード 認証コード482913', '482913'],
  ['Code: 1️⃣0️⃣9️⃣2️⃣', '1092'],
  ['Code: 𝟒𝟖𝟐𝟗𝟏𝟑', '482913'],
  ['Your code is: 482.913', '482913'],
  ['Your code is: 482 - 913', '482913'],
  ['Your balance is 482.913', null],
  ['Promo code 4821 for your first ride', null],
  ['Use code SAVE20 today', null],
  ['Your parcel is here, pick-up code 4821', null],
  ['Ваш код получения 4821', null],
  ['【驿站】取件码4821', null],
  ['Zip code 48213', null],
  ['2-step verification is now deactivated for your account', null],
  ['Balance: 1500. Dial *117#', null],
  ['Ваш тариф продлён, остаток 1500', null],
  ['You spent ¥2000 on card 1234', null],
  ['no digits at all', null],
  ['', null],
])('%j holds %s', (text, code) => {
  expect(extractCode('ot', text)).toBe(code)
})

test('the number that received the message is no code', () => {
  const text = '4821 la ma kich hoat cua so dien thoai 90123456'
  expect(extractCode('mj', 'Zalo 90123456')).toBe('90123456')
  expect(extractCode('mj', 'Zalo 90123456', '8490123456')).toBeNull()
  expect(extractCode('mj', text, '8490123456')).toBe('4821')
})

test('a code of letters alone is only Steam’s', () => {
  expect(extractCode('mt', 'Steam Guard code: XKWTQ')).toBe('XKWTQ')
  expect(extractCode('mt', 'XK4T9 is your Steam code')).toBe('XK4T9')
  expect(extractCode('ot', 'Your code: XKWTQ')).toBeNull()
})

// S-16: the work must be linear in the text, so no pattern of this folder may backtrack over a letter many times.
test('no pattern holds two unbounded repeats, and the text is cut to a length first', () => {
  const folder = new URL('..', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/test/.test(name),
  )
  expect(files).toContain('codes/choose-code.ts')
  const literal = /\/(?![/*])((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/[gimsuy]*/g
  const found = files.flatMap((name) =>
    [...readFileSync(new URL(name, folder), 'utf8').matchAll(literal)]
      .map(([, source = '']) => source.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, '.'))
      .filter((source) => [...source.matchAll(/[*+]|\{\d+,\}/g)].length > 1)
      .map((source) => `${name}: ${source}`),
  )
  expect(found).toEqual([])
  expect(extractCode('ot', `${'x '.repeat(2_000)}code 4821`)).toBeNull()
})

const book = seedBook()

/** Long texts in which each word may give a code or belong to a brand. No word may be compared with all other words. */
test.each(['code 1234 GPN Bonus ', 'GPN Bonus: 1234 code ', 'Mercado Libre: 1234 code ', 'Spark Driver code 1234 '])(
  'a text of %j is not read anew for each of its words',
  (unit) => {
    const text = unit.repeat(4_000 / unit.length)
    const run = vi.spyOn(RegExp.prototype, 'exec')
    readMessage(book, { sender: 'ACME', text, phone: '77050200004' })
    const letters = run.mock.calls.reduce((sum, [said]) => sum + said.length, 0)
    run.mockRestore()
    expect(letters / text.length).toBeGreaterThan(1)
    expect(letters / text.length).toBeLessThan(1_000)
  },
)

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
      if (code === null) return
      expect(code).toMatch(/^[A-Za-z0-9]{4,8}$/)
      expect(toAsciiDigits(toPlain(said)).replaceAll(/[ ._·-]/g, '')).toContain(code)
    }),
    { numRuns: 2_000 },
  )
})
