import { expect, test } from 'vitest'
import { findOtherWords, parseDecided, readDecided, readTexts } from './decided-words.mjs'
import { parseSource, readSourceFiles } from './source-files.mjs'

test.each([
  ['ru', 'код по SMS', 'SMS'],
  ['ru', 'Войти через vk.com', 'vk.com'],
  ['ru', 'создать API-ключ', 'API-ключ'],
  ['ru', 'Ключи песочницы', 'песочницы'],
  ['ru', 'Код по СМС от SMS-Activate', null],
  ['ru', 'Двухфакторный вход включён', 'Двухфакторный вход'],
  ['ru', 'Деньги заморожены', 'заморожены'],
  ['ru', 'деньги на счете', 'на счете'],
  ['ru', 'Бонусы', 'Бонусы'],
  ['ru', 'бонусы за пополнения', null],
  ['ru', 'Отзовите ключ: {webhook} <webhooks>тут</webhooks>', null],
  ['en', 'Sign in to go on', 'Sign in'],
  ['en', 'Two-factor sign-in', 'sign-in'],
  ['en', 'Messages: №\u00a05', '№'],
  ['en', 'Messages: No. {id}', 'No. {'],
  ['en', 'the loyalty programme', 'programme'],
  ['en', 'A favorite gets cheaper', 'favorite'],
  ['en', 'The money is set aside', 'set aside'],
  ['en', 'No withheld messages', null],
  ['en', 'Log in for the SMS of a number', null],
])('E-19, N-12: in %s, "%s"', async (language, text, found) => {
  const said = findOtherWords([{ language, place: 'here', text }], await readDecided())
  expect(said).toEqual(found === null ? [] : [expect.stringContaining(`here says "${found}"`)])
})

test('a row names its words, and a row that is no row is refused', () => {
  const page = [
    '| thing | ru | en | where | never in ru | never in en |',
    '|---|---|---|---|---|---|',
    '| balance | баланс | balance | header | кошелёк, кошельк* | wallet |',
    '| language | string | why |',
    '| en | Google Wallet | a service |',
  ]
  const decided = parseDecided(page.join('\n'))
  const said = (language, text) => findOtherWords([{ language, place: 'here', text }], decided)
  expect(said('ru', 'В кошельке пусто')).toEqual(['here says "кошельке", which is "баланс" here: В кошельке пусто'])
  expect(said('en', 'Your wallet')).toHaveLength(1)
  expect(said('en', 'Google Wallet')).toEqual([])
  expect(() => parseDecided('| balance | баланс |')).toThrow(/neither six cells nor three/)
})

test('a planted word of a source file is found, with its file', async () => {
  const planted = parseSource(
    'web/mails/english.ts',
    'export const words = { lead: `Your coupon ' + '$' + '{0} is here.`, x: "kind" }',
  )
  const texts = await readTexts([planted])
  expect(findOtherWords(texts, await readDecided())).toEqual([
    'web/mails/english.ts says "coupon", which is "voucher" here: Your coupon … is here.',
  ])
})

test('E-19: every text of the site says the decided words', async () => {
  const texts = await readTexts(await readSourceFiles())
  expect(texts.length).toBeGreaterThan(5_000)
  expect(findOtherWords(texts, await readDecided())).toEqual([])
})
