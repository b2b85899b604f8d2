import { expect, test } from 'vitest'
import { findOtherWords, readTexts } from './decided-words.mjs'

test.each([
  ['ru', 'код по SMS', 'SMS'],
  ['ru', 'VKontakte (vk.com)', 'vk.com'],
  ['ru', 'создать API-ключ', 'API-ключ'],
  ['ru', 'Ключи песочницы', 'песочниц'],
  ['ru', 'Код по СМС от SMS-Activate', null],
  ['en', 'Sign in to go on', 'Sign in'],
  ['en', 'Two-factor sign-in', 'sign-in'],
  ['en', 'Messages: №\u00a05', '№'],
  ['en', 'Messages: No. {id}', 'No. {'],
  ['en', 'the loyalty programme', 'programme'],
  ['en', 'A favorite gets cheaper', 'favorite'],
  ['en', '"favorites": "From favourites"', null],
  ['en', 'Log in for the SMS of a number', null],
])('E-19: in %s, "%s"', (language, text, found) => {
  const said = findOtherWords([{ language, place: 'here', text }])
  expect(said).toEqual(found === null ? [] : [expect.stringContaining(`here says "${found}"`)])
})

test('E-19: every text of the site says the decided words', async () => {
  const texts = await readTexts()
  expect(texts.length).toBeGreaterThan(2_000)
  expect(findOtherWords(texts)).toEqual([])
})
