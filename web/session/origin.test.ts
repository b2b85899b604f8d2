import { expect, test } from 'vitest'
import { campaignText } from './origin.ts'

const textOf = (query: string) => campaignText(new URLSearchParams(query))

test('the marks of a campaign become one JSON object, whatever else is in the query', () => {
  expect(textOf('utm_source=tg&service=wa&utm_medium=cpc&utm_=x&UTM_TERM=y&utm_term=')).toBe(
    '{"utm_source":"tg","utm_medium":"cpc"}',
  )
  expect(textOf('service=wa')).toBeNull()
})

test('any script travels in ASCII and is the same after it', () => {
  const text = textOf(`utm_term=${encodeURIComponent('номер 😀 "в" \u0000')}`)
  expect(text).toMatch(/^[\x20-\x7e]+$/)
  expect(JSON.parse(text ?? '')).toEqual({ utm_term: 'номер 😀 "в" \u0000' })
})

test('half a character does not break it', () => {
  expect(campaignText(new URLSearchParams([['utm_term', 'a\ud83d']]))).toBe('{"utm_term":"a\\ufffd"}')
})

test('too much is left out: long values, the eleventh, and what would not fit', () => {
  const names = 'abcdefghijkl'.split('').map((letter) => `utm_${letter}`)
  const query = new URLSearchParams(names.map((name) => [name, '1']))
  query.set('utm_a', 'x'.repeat(201))
  expect(Object.keys(JSON.parse(campaignText(query) ?? ''))).toEqual(names.slice(1, 11))
  const long = campaignText(new URLSearchParams(names.map((name) => [name, 'ю'.repeat(200)])))
  expect(long?.length).toBeLessThan(1_301)
  expect(Object.keys(JSON.parse(long ?? ''))).toEqual(['utm_a'])
})
