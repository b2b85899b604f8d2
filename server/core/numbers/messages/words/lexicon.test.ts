import { expect, test } from 'vitest'
import { readSeedTable } from '#server/house/seed/read-seed-table.ts'
import { fold, toPlain } from '../codes/plain-text.ts'
import { findMarks, type WordKind } from './lexicon.ts'

const KINDS: Record<WordKind, true> = {
  code: true,
  secret: true,
  notcode: true,
  auth: true,
  coupon: true,
  errand: true,
  pay: true,
  advert: true,
  balance: true,
  call: true,
  alert: true,
  money: true,
  account: true,
  card: true,
  other: true,
  unit: true,
  use: true,
  send: true,
  tap: true,
  lead: true,
  link: true,
}

test('the table of words has the kinds of the type, and no word is written twice in one cell', () => {
  const rows = readSeedTable(new URL('../seed/words.tsv', import.meta.url).href, ['kind', 'languages', 'words'])
  expect([...new Set(rows.map(({ kind }) => kind))].toSorted()).toEqual(Object.keys(KINDS).toSorted())
  for (const { words } of rows) expect(new Set(words.split('|')).size).toBe(words.split('|').length)
  expect(
    rows.flatMap(({ words }) => words.split('|')).filter((word) => word.replaceAll('*', '').trim() === ''),
  ).toEqual([])
})

test.each<[text: string, marks: string]>([
  ['Ihr Bestätigungscode', 'link:Ihr auth:Bestätigungscode code:code'],
  ['promo code 4821', 'coupon:promo code'],
  ['zip code', 'notcode:zip code'],
  ['199р', 'money:р'],
  ['code4821', 'code:code'],
  ['encoder', ''],
  ['验证码是482913', 'code:验证码'],
])('%j holds %s', (text, expected) => {
  const plain = toPlain(text)
  const said = findMarks(fold(plain)).map(({ kind, start, end }) => `${kind}:${plain.slice(start, end)}`)
  expect(said.join(' ')).toBe(expected)
})
