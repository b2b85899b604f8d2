import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSeedTable } from '#server/house/seed/read-seed-table.ts'
import { seedBook } from '#test/builders/sender-book.ts'
import { judge } from './judge.ts'
import { readMessage } from './reading.ts'

const book = seedBook()
const PHONE = '77050200004'

function answerFor(service: string, message: { sender: string; text: string; notText?: string }): string {
  const answer = judge(book, readMessage(book, { ...message, phone: PHONE }), service)
  if (answer.kind === 'code') return answer.code ?? 'text'
  return answer.kind === 'nobody' ? `nobody: ${answer.why}` : answer.kind
}

/** Each line tests the rule for the only order that holds the phone (docs/messages.md). */
test.each<[service: string, sender: string, text: string, answer: string]>([
  ['ot', 'Voicemail', '', 'nobody: blank'],
  ['tg', '79160000001', ' \n', 'nobody: blank'],
  ['ot', '79160000001', '\u200b\u200e', 'nobody: blank'],
  ['ot', '79160000001', '\u3164\u2800 .', 'nobody: blank'],
  ['tg', 'AD7', 'Win a prize today, call us now', 'nobody: unknown-sender'],
  ['tg', '79160000001', 'Win prize 18915 call now', 'nobody: no-code'],
  ['tg', 'AD7', 'Your code is 48213', 'nobody: unknown-sender'],
  ['tg', 'AUTHMSG', 'Your code is 48213', '48213'],
  ['ot', 'AD7', 'Win a prize today, call us now', 'notice'],
  ['ot', 'AD7', 'Your code is 48213', '48213'],
  ['ot', 'AUTHMSG', 'Your Telegram code is 48213', 'nobody: other-service'],
  // F-1: a word or link that leads elsewhere names no service, and the text's writer is another firm.
  ['tg', 'INFO', 'Ваш код 1234. Мы в Telegram: t.me/shop', 'nobody: other-service'],
  ['go', 'SHOP', 'Код 1234. Скачайте приложение в Google Play', 'nobody: other-service'],
  ['tg', 'INFO', 'Код: 1234. Вход через Telegram: t.me/shop_bot?start=1234', 'nobody: other-service'],
  ['tg', 'INFO', 'VPN Telegram: ваш код 5555', 'nobody: other-service'],
  ['tg', 'GOSUSLUGI', 'Код 1234 для входа на Госуслуги. Не передавайте его в Telegram', 'nobody: other-service'],
  ['tg', 'INFO', 'Код 1234 для входа на Госуслуги', 'nobody: other-service'],
  ['go', '900', 'Покупка 199р GOOGLE PLAY. Код подтверждения: 1234. Никому его не сообщайте', 'nobody: payment'],
  ['go', 'T-Bank', 'Никому не говорите код 1234! Оплата 99.00р. GOOGLE YOUTUBE', 'nobody: other-service'],
  ['ub', 'INFO', 'Code 1234 to pay UBER 12.00', 'nobody: payment'],
  ['lf', 'INFO', 'Код 1234. Списание 300 в пользу TIKTOK', 'nobody: payment'],
  ['ot', 'BANK', 'Code 1234 to pay ACME 12.00', 'nobody: payment'],
  ['ts', 'PayPal', 'Your code is 482913 to pay $12.00 to Acme', '482913'],
  ['ts', 'INFO', 'PayPal: your code is 482913 to pay $12.00 to Acme', '482913'],
  ['tg', 'Telegram', '48213', '48213'],
  ['tg', '79160000001', '48213', 'nobody: no-code'],
  ['ot', '79160000001', '48213', 'notice'],
  ['wa', '79160000001', 'WhatsApp: 482-913', '482913'],
  ['wa', 'WhatsApp', 'Tap to sign in: https://v.whatsapp.com/x/k2Jd9', 'text'],
  ['wa', 'INFO', 'Tap to sign in: https://v.whatsapp.com/x/k2Jd9', 'nobody: no-code'],
  ['nf', 'Netflix', 'Your one-time password: KJHGFDSA', 'text'],
  ['wa', 'WhatsApp', 'Never share your code with anyone', 'notice'],
  ['vk', 'VKcom', 'Вам поступит звонок. Код — последние 4 цифры номера', 'notice'],
  ['ub', 'Uber', 'Uber: 50% off with promo code RIDE4821', 'notice'],
  ['ub', 'Uber', 'Use code 4821 for 20% off your next order', 'notice'],
  ['tg', 'MegaFon', 'Подключите Telegram без трафика! Код акции 48213', 'nobody: operator'],
])('for %s, %s sends %j: %s', (service, sender, text, expected) => {
  expect(answerFor(service, { sender, text })).toBe(expected)
})

test('B1: nothing is read from a body that is no text', () => {
  const text = '003115 your code is 48213'
  expect(answerFor('ot', { sender: 'Voicemail', text, notText: 'sim data' })).toBe('nobody: not-text')
  expect(readMessage(book, { sender: '', text, phone: PHONE, notText: 'silent' }).codes.general).toBeNull()
})

test('B1: without a visible letter or digit nothing is a code or a notice, whoever sends it', () => {
  const signs = fc.string({
    unit: fc.constantFrom(' ', '\n', '.', '-', '\u200b', '\u200e', '\ufeff', '\u3164', '😀', '…'),
  })
  fc.assert(
    fc.property(fc.constantFrom('Telegram', 'INFO', '', '900'), signs, (sender, text) => {
      const said = ['tg', 'ot', 'sg'].map((service) => answerFor(service, { sender, text }))
      expect(new Set(said)).toEqual(new Set(['nobody: blank']))
    }),
    { numRuns: 200 },
  )
})

type Row = Record<'language' | 'service' | 'sender' | 'answer' | 'text', string>

const CORPUS = new URL('test-corpus.tsv', import.meta.url).href
const corpus: Row[] = readSeedTable(CORPUS, ['language', 'service', 'sender', 'answer', 'text']).map((row) => ({
  ...row,
  text: row.text.replaceAll('\\n', '\n').replaceAll('\\u200b', '\u200b'),
}))
const answers = corpus.map(({ service, sender, text }) => answerFor(service, { sender, text }).split(':')[0] ?? '')

test.each(corpus.map((row, at) => [row, at] as const))('%j', (row, at) => {
  expect(answers[at]).toBe(row.answer)
})

test('of 400 texts and more in 30 languages and more, nobody pays without a code', () => {
  const isCode = (answer: string) => !['text', 'notice', 'nobody'].includes(answer)
  const rows = corpus.map((row, at) => ({ ...row, said: answers[at] ?? '' }))
  const charged = rows.filter(({ said }) => isCode(said) || said === 'text')
  const codes = rows.filter(({ answer }) => isCode(answer))
  expect(charged.filter(({ answer }) => answer === 'nobody')).toEqual([])
  expect(charged.filter(({ answer }) => answer === 'notice')).toEqual([])
  expect(codes.filter(({ said, answer }) => isCode(said) && said !== answer)).toEqual([])
  expect(codes.filter(({ said, answer }) => said === answer).length / codes.length).toBeGreaterThanOrEqual(0.97)
  expect(rows.length).toBeGreaterThanOrEqual(400)
  expect(rows.filter(({ answer }) => !isCode(answer)).length).toBeGreaterThanOrEqual(rows.length / 3)
  expect(new Set(rows.map(({ language }) => language)).size).toBeGreaterThanOrEqual(30)
})
