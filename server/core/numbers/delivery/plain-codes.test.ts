import { expect, test } from 'vitest'
import { judge } from '#server/core/numbers/messages/judge.ts'
import { readMessage } from '#server/core/numbers/messages/reading.ts'
import { readSeedTable } from '#server/house/seed/read-seed-table.ts'
import { seedBook } from '#test/builders/sender-book.ts'
import { readPlainCodes } from './plain-codes.ts'

const CORPUS = new URL('../messages/test-corpus.tsv', import.meta.url).href
const SENDERS = ['AUTHMSG', '+447900000001', 'AD7', 'Telegram', '']

test('one statement charges nobody whom the rule would not charge, and by the same code', () => {
  const book = seedBook()
  const rows = readSeedTable(CORPUS, ['language', 'service', 'sender', 'answer', 'text'])
  const services = [...new Set(rows.map(({ service }) => service))]
  let plain = 0
  for (const { sender: own, text } of rows) {
    for (const sender of [own, ...SENDERS]) {
      const reading = readMessage(book, { sender, text, phone: '77050200004' })
      const codes = readPlainCodes(book, reading)
      if (codes === null) continue
      plain += 1
      // Repeats in TypeScript how the SQL statement chooses the services that may get the message.
      const named = 'services' in reading.naming ? reading.naming.services : services
      for (const service of named) {
        const code = codes.own[service] ?? codes.general
        expect([text, sender, service, judge(book, reading, service)]).toEqual([
          text,
          sender,
          service,
          { kind: 'code', code },
        ])
      }
    }
  }
  expect(plain).toBeGreaterThan(rows.length)
})
