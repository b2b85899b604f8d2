import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ERRORS } from '#contract/errors.ts'
import en from '#contract/words/en.json' with { type: 'json' }
import ru from '#contract/words/ru.json' with { type: 'json' }
import { type WordsKey, wordsOf } from '#server/house/errors/error-words.ts'

const keys = Object.keys(en) as WordsKey[]
const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).toSorted()

test('both languages have the same sentences, with the same values', () => {
  expect(Object.keys(ru)).toEqual(keys)
  for (const key of keys) expect([key, namesIn(ru[key])]).toEqual([key, namesIn(en[key])])
})

test('every code of the contract is thrown, and has its sentence; no sentence belongs to another', async () => {
  const catalogue = await Promise.all(
    [
      'house/errors/errors.ts',
      'house/errors/buying-errors.ts',
      'house/errors/payment-errors.ts',
      'core/support/support-errors.ts',
      'surfaces/staff/staff-errors.ts',
      'surfaces/telegram/telegram-errors.ts',
    ].map((file) => readFile(join(import.meta.dirname, '../..', file), 'utf8')),
  )
  for (const code of Object.keys(ERRORS)) expect(catalogue.join()).toContain(`'${code}'`)
  const codes = keys.filter((key) => !key.includes('.'))
  expect(codes.toSorted()).toEqual(Object.keys(ERRORS).toSorted())
  for (const reason of keys.filter((key) => /^[A-Z].*\./.test(key))) expect(catalogue.join()).toContain(`'${reason}'`)
})

test('values stand where the sentence names them, and one that is missing is a fault', () => {
  expect(wordsOf('MAX_PRICE_TOO_LOW', { lowest: '$& 12.50' })).toEqual({
    ru: 'Самая низкая цена — $& 12.50',
    en: 'The lowest available price is $& 12.50',
  })
  expect(() => wordsOf('MAX_PRICE_TOO_LOW', {})).toThrow('the words of MAX_PRICE_TOO_LOW need lowest')
})
