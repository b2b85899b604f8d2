import { expect, test } from 'vitest'
import { judge } from './judge.ts'
import { readMessage } from './reading.ts'
import { seedBook } from './test-book.ts'

const book = seedBook()

// OP-1, F-1, B1: who sends what to the only order of a service, and what it is for that order.
test.each<[service: string, sender: string, text: string, answer: string]>([
  ['tg', 'AD7', 'Win a prize today, call us now', 'nobody: unknown-sender'],
  ['tg', '79160000001', 'Win a prize today, call us now', 'nobody: no-code'],
  ['tg', '79160000001', '\u200b\u200e', 'nobody: blank'],
  ['tg', 'Telegram', 'Telegram code: 48213', 'code 48213'],
  ['go', 'Telegram', 'Telegram code: 48213', 'nobody: other-service'],
  ['tg', 'INFO', 'Your code is 48213', 'code 48213'],
  ['tg', 'SHOP', 'Your code is 48213', 'nobody: unknown-sender'],
  ['tg', 'Telegram', '48213', 'code 48213'],
  ['ot', 'SHOP', 'Your code is 48213', 'code 48213'],
  ['ot', 'SHOP', 'Welcome to us', 'notice'],
])('an order of %s, %s sends %j: %s', (service, sender, text, expected) => {
  const answer = judge(book, readMessage(book, { sender, text, phone: '77050200004' }), service)
  const said = { code: `code ${'code' in answer ? answer.code : ''}`, notice: 'notice', nobody: '' }[answer.kind]
  expect(answer.kind === 'nobody' ? `nobody: ${answer.why}` : said).toBe(expected)
})
