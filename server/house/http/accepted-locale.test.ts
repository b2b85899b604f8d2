import { expect, test } from 'vitest'
import { acceptedLocales } from './accepted-locale.ts'

test.each([
  ['en', 'en'],
  ['en-US,en;q=0.9,ru;q=0.8', 'en ru'],
  ['ru;q=0.5, en-GB;q=0.7', 'en ru'],
  ['ru-RU,ru;q=0.9,en-US;q=0.8', 'ru en'],
  ['de-DE, fr;q=0.9, EN;q=0.1', 'en'],
  ['en;q=0, ru;q=0.1', 'ru'],
  ['en;q=2, ru;q=x', ''],
  ['*', ''],
  ['english, rust', ''],
  ['', ''],
  [`${'de,'.repeat(100)}en`, ''],
])('E-9: "%s" accepts "%s"', (header, locales) => {
  expect(acceptedLocales({ 'accept-language': header }).join(' ')).toBe(locales)
})

test('E-9: a program that reads pages for others is shown the language of the address', () => {
  const headers = { 'accept-language': 'en', 'user-agent': 'Mozilla/5.0 (compatible; bingbot/2.0)' }
  expect(acceptedLocales(headers)).toEqual([])
})
