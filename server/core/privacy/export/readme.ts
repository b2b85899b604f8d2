import type { Locale } from '#contract/constants.ts'
import { LEFT_OUT, SECTIONS } from '#server/core/privacy/sections/all-sections.ts'
import { TITLES } from '#server/core/privacy/sections/titles.ts'
import { shownName } from './values.ts'

type Part = { about: string[]; filled: string; empty: string; absent: string }

const PARTS: Record<Locale, Part> = {
  ru: {
    about: [
      'Здесь все данные, которые мы о вас храним.',
      'Каждая таблица есть в двух форматах: в папке json — для программ, в папке csv — для Excel.',
      'Суммы записаны десятичными дробями: 12.50, в csv — 12,50. Валюта указана в столбце currency: rub — рубли, usd — доллары.',
      'В столбцах, которые заканчиваются на points, — сотые доли процента: 250 — это 2,5 %. В столбцах, которые заканчиваются на units, — количество монет в наименьших единицах.',
      'Время в json указано в UTC, в csv — в поясе {zone}.',
    ],
    filled: 'Что в архиве',
    empty: 'Пустые таблицы: данных о вас в них нет, поэтому файлов тоже нет',
    absent: 'Чего здесь нет и почему',
  },
  en: {
    about: [
      'This is everything the service stores about you.',
      'Each table comes in two formats: in the json folder for software, and in the csv folder for spreadsheets.',
      'Amounts are decimals, such as 12.50. The currency column shows their currency: rub for roubles, usd for dollars.',
      'Columns ending in “points” are in hundredths of a percent: 250 means 2.5 %. Columns ending in “units” are amounts of coins, in each coin’s smallest unit.',
      'Times are UTC in json, and {zone} in csv.',
    ],
    filled: 'In this archive',
    empty: 'Empty tables, which have no files because they contain nothing about you',
    absent: 'What isn’t included, and why',
  },
}

export function writeReadme(
  { locale, timeZone }: { locale: Locale; timeZone: string },
  filled: ReadonlySet<string>,
): string {
  const part = PARTS[locale]
  const titlesOf = (isFilled: boolean) =>
    SECTIONS.filter(({ table }) => filled.has(table) === isFilled).map(
      ({ table }) => `${table}: ${TITLES[table]?.[locale]}`,
    )
  const empty = titlesOf(false)
  const lines = [
    ...part.about.map((line) => line.replace('{zone}', timeZone)),
    '',
    part.filled,
    '',
    ...titlesOf(true),
    ...(empty.length === 0 ? [] : ['', part.empty, '', ...empty]),
    '',
    part.absent,
    '',
    ...absent(locale),
    '',
  ]
  return lines.join('\r\n')
}

function absent(locale: Locale): string[] {
  const tables = Object.entries(LEFT_OUT).map(([table, why]) => `${table}: ${why[locale]}`)
  const columns = SECTIONS.flatMap(({ table, leftOut = {} }) =>
    Object.entries(leftOut).map(([column, why]) => `${table}.${shownName(column)}: ${why[locale]}`),
  )
  return [...tables, ...columns]
}
