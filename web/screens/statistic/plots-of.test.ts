import { createTranslator } from 'use-intl'
import { expect, test } from 'vitest'
import type { StatisticsReply } from '#contract/past/history.ts'
import statistic from '#web/locales/ru/lazy/past/statistic.json' with { type: 'json' }
import { plotsOf } from './plots-of.ts'

const speech = {
  t: createTranslator({ locale: 'ru', messages: { statistic }, namespace: 'statistic' }),
  locale: 'ru',
  timeZone: 'Europe/Moscow',
}
const sum = (purchases: number, codes: number) => ({
  purchases,
  activations: purchases,
  codes,
  spent: `${codes * 12}.50`,
  success_share: purchases === 0 ? null : codes / purchases,
  median_seconds: codes === 0 ? null : 8.4,
  p90_seconds: null,
})
const period = {
  from: '2026-03-05',
  to: '2026-03-06',
  total: sum(4, 2),
  days: [
    { day: '2026-03-05', ...sum(4, 2) },
    { day: '2026-03-06', ...sum(0, 0) },
  ],
  hours: null,
}
const data: StatisticsReply['data'] = {
  ...period,
  currency: 'rub',
  before: { ...period, total: sum(0, 0), days: [] },
  services: [],
  countries: [],
  counted_until: null,
}

test('every plot is of the same days and says in words what it shows', () => {
  const plots = plotsOf(data, speech)
  expect(plots.map(({ title, summary }) => `${title}: ${summary}`)).toEqual([
    'Покупки и коды: Всего 4 покупки, 2 кода',
    'Расходы: Всего 24,50\u00a0₽',
    'Доля кодов: В среднем 50\u00a0%',
    'Время до кода: Обычно 8 с',
  ])
  expect(plots.map(({ spec }) => spec.steps)).toEqual(Array(4).fill(['2026-03-05', '2026-03-06']))
  expect(plots.map(({ spec }) => spec.series.map(({ values }) => values))).toEqual([
    [
      [4, 0],
      [2, 0],
    ],
    [[24.5, 0.5]],
    [
      [0.5, null],
      [0.5, null],
    ],
    [
      [8.4, null],
      [8.4, null],
    ],
  ])
})

test('a day without purchases has no share and no time, and says so', () => {
  const words = plotsOf(data, speech).map(({ wordsOfStep }) => [wordsOfStep(1), wordsOfStep(2)])
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

test('the period before is dashed, and hours are those of the reader', () => {
  const at = (hour: number) => `2026-03-05T${String(hour).padStart(2, '0')}:00:00.000Z`
  const hours = [20, 21, 22].map((hour) => ({ at: at(hour), ...sum(hour - 20, 0) }))
  const before = { ...period, hours: hours.slice(1) }
  const [plot] = plotsOf({ ...data, hours, before }, speech)
  expect(plot?.spec.isHourly).toBe(true)
  expect(plot?.spec.steps.map((step) => plot.spec.formatStep(step))).toEqual(['23:00', '6 мар.', '01:00'])
  expect(plot?.spec.series.map(({ kind, values }) => [kind, values])).toEqual([
    ['bars', [0, 1, 2]],
    ['bars', [0, 0, 0]],
    ['dashes', [1, 2, null]],
  ])
  expect(plot?.legend.at(-1)?.text).toBe('предыдущий период')
  expect(plot?.wordsOfStep(2)).toBe('6 мар., 01:00: 2 покупки, 0 кодов')
})

test('the line of shares is the mean of seven days, and a dot says how many activations a day had', () => {
  const day = (day: string, purchases: number, codes: number) => ({ day, ...sum(purchases, codes) })
  const days = [day('2026-03-05', 3, 0), day('2026-03-06', 0, 0), day('2026-03-07', 1, 1)]
  const before = { ...period, total: sum(6, 6), days: [day('2026-03-03', 6, 6), day('2026-03-04', 0, 0)] }
  const share = plotsOf({ ...data, days, before }, speech)[2]
  expect(share?.spec.series).toEqual([
    { kind: 'dots', color: '--received', values: [0, null, 1], weights: [3, 0, 1] },
    { kind: 'mean', color: '--received', values: [6 / 9, null, 7 / 10] },
    { kind: 'dashes', color: '--muted', values: [1, null, null] },
  ])
  expect(share?.legend.map(({ text }) => text)).toEqual(['1', '3 активации', 'за 7 дней', 'предыдущий период'])
  const words = [0, 1, 2].map((place) => share?.wordsOfStep(place).replaceAll('\u00a0', ' '))
  expect(words).toEqual([
    '5 мар. 2026 г.: 0 % из 3, за 7 дней 66 %',
    '6 мар. 2026 г.: покупок не было',
    '7 мар. 2026 г.: 100 % из 1, за 7 дней 70 %',
  ])
})
