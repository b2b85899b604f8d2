import { expect, test } from 'vitest'
import { parseSource } from './source-files.mjs'
import { findDraftViolations, findLocaleViolations, findUnusedTexts } from './text-keys.mjs'

test('a text that one language lacks is named with its place', () => {
  const ru = { home: { title: 'Номера', hint: 'Здесь' } }
  const en = { home: { title: 'Numbers' }, foot: 'End' }
  expect(findLocaleViolations({ ru, en })).toEqual(['web/locales/en lacks home.hint', 'web/locales/ru lacks foot'])
  expect(findLocaleViolations({ ru, en: ru })).toEqual([])
})

test('a section that is initial in one language and lazy in the other is named', () => {
  const buy = { title: 'Buy' }
  const texts = { ru: { initial: { buy }, lazy: {} }, en: { initial: {}, lazy: { buy } } }
  expect(findLocaleViolations(texts)).toEqual([
    'web/locales/en lacks initial.buy.title',
    'web/locales/ru lacks lazy.buy.title',
  ])
})

test.each([
  [
    '{count, plural, one {# номер} few {# номера} other {# номеров}}',
    '{count, plural, one {# number} other {# numbers}}',
    null,
  ],
  ['{name}: {price}', '{price} for {name}', null],
  ['Цена {price}', 'Price {amount}', 'key has other values in ru (price) than in en (amount)'],
  ['Код {code}', 'The code', 'key has other values in ru (code) than in en ()'],
  [
    '{n, select, yes {{a}} other {нет}}',
    '{n, select, yes {yes} other {no}}',
    'key has other values in ru (a, n) than in en (n)',
  ],
  ['<link>{a}</link>', '<link>the</link>', 'key has other values in ru (a, link) than in en (link)'],
  ['<link>тут</link>', 'here', 'key has other values in ru (link) than in en ()'],
])('%s, %s', (russian, english, violation) => {
  expect(findLocaleViolations({ ru: { key: russian }, en: { key: english } })).toEqual(
    violation === null ? [] : [violation],
  )
})

test('a text that no page shows is named', () => {
  const page = parseSource(
    'web/screens/a/page.tsx',
    "const t = useTranslations('a'); t('title'); t(`steps.$" + '{step}`); t(`$' + '{kind}`)',
  )
  const locale = { a: { title: 'A', steps: { one: 'B', two: 'C' }, left: 'D' }, b: { title: 'E' } }
  const expected = ['web/locales: no page shows a.left', 'web/locales: no page shows b.title']
  expect(findUnusedTexts(locale, [page])).toEqual(expected)
  expect(findUnusedTexts(locale, [{ ...page, path: 'web/screens/a/page.test.tsx' }])).toHaveLength(5)
})

test('a draft may lack texts, but has no others, and each is a message with the same values and tags', () => {
  const en = {
    a: 'Pay {sum}',
    b: '{count, plural, one {# day} other {# days}}',
    c: 'See <link>terms</link>',
    d: 'Lost',
  }
  const good = { a: '付 {sum}', b: '{count, plural, other {# 天}}', c: '见<link>条款</link>' }
  expect(findDraftViolations('zh', good, en)).toEqual([])
  const bad = { a: '付 {amount}', b: '{count, plural, one {#}}', c: '见<terms>条款</terms>', e: '多' }
  expect(findDraftViolations('zh', bad, en)).toEqual([
    'a has other values in zh (amount) than in en (sum)',
    expect.stringMatching(/^web\/locales\/zh has b, which is no message: /),
    'c has other values in zh (terms) than in en (link)',
    'web/locales/zh has e, which web/locales/en lacks',
  ])
})
