import { createTranslator } from 'use-intl'
import { expect, test } from 'vitest'
import type { StatisticsReply } from '#contract/past/history.ts'
import statistic from '#web/locales/ru/lazy/past/statistic.json' with { type: 'json' }
import { plotsOf } from './plots-of.ts'

const speech = { t: createTranslator({ locale: 'ru', messages: { statistic }, namespace: 'statistic' }), locale: 'ru' }
const sum = (purchases: number, codes: number) => ({
  purchases,
  activations: purchases,
  codes,
  spent: `${codes * 12}.50`,
  success_share: purchases === 0 ? null : codes / purchases,
  median_seconds: codes === 0 ? null : 8.4,
  p90_seconds: null,
})
const data: StatisticsReply['data'] = {
  currency: 'rub',
  from: '2026-03-05',
  to: '2026-03-06',
  total: sum(4, 2),
  days: [
    { day: '2026-03-05', ...sum(4, 2) },
    { day: '2026-03-06', ...sum(0, 0) },
  ],
  services: [],
  countries: [],
  counted_until: null,
}

test('every plot is of the same days and says in words what it shows', () => {
  const plots = plotsOf(data, speech)
  expect(plots.map(({ title, summary }) => `${title}: ${summary}`)).toEqual([
    'Покупки и коды: Всего 4 покупки, 2 кода',
    'Расходы: Всего 24,50\u00a0₽',
    'Доля покупок с кодом: В среднем 50\u00a0%',
    'Время до кода: Обычно 8 с',
  ])
  expect(plots.map(({ spec }) => spec.days)).toEqual(Array(4).fill(['2026-03-05', '2026-03-06']))
  expect(plots.map(({ spec }) => spec.series.map(({ values }) => values))).toEqual([
    [
      [4, 0],
      [2, 0],
    ],
    [[24.5, 0.5]],
    [[0.5, null]],
    [[8.4, null]],
  ])
})

test('a day without purchases has no share and no time, and says so', () => {
  const words = plotsOf(data, speech).map(({ wordsOfDay }) => [wordsOfDay(1), wordsOfDay(2)])
  expect(words.map(([day]) => day?.replaceAll('\u00a0', ' '))).toEqual([
    '6 мар. 2026 г.: 0 покупок, 0 кодов',
    '6 мар. 2026 г.: 0,50 ₽',
    '6 мар. 2026 г.: покупок не было',
    '6 мар. 2026 г.: кодов не было',
  ])
  expect(words.map(([, none]) => none)).toEqual(['', '', '', ''])
})

test('what was never measured is not drawn', () => {
  const rentals = { ...sum(3, 0), success_share: null }
  const plots = plotsOf({ ...data, total: rentals, days: [{ day: '2026-03-05', ...rentals }] }, speech)
  expect(plots.map(({ title }) => title)).toEqual(['Покупки и коды', 'Расходы'])
})
