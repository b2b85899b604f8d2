import type { Locale } from '#contract/constants.ts'
import { LEFT_OUT, SECTIONS } from '#server/core/privacy/sections/all-sections.ts'
import { TITLES } from '#server/core/privacy/sections/titles.ts'
import { shownName } from './values.ts'

type Part = { about: string[]; filled: string; empty: string; absent: string }

const PARTS: Record<Locale, Part> = {
  ru: {
    about: [
      'Здесь всё, что сервис хранит о вас.',
      'Каждая таблица записана дважды: в папке json — для программ, в папке csv — для Excel.',
      'Суммы записаны десятичными дробями: 12.50, в csv — 12,50. Их валюта — в столбце currency: rub — рубли, usd — доллары.',
      'Столбцы на points — сотые доли процента: 250 — это 2,5 %. Столбцы на units — монеты в наименьших единицах монеты.',
      'Время в json — UTC, в csv — {zone}.',
    ],
    filled: 'Что в архиве',
    empty: 'Пустые таблицы: записей о вас в них нет, поэтому нет и файлов',
    absent: 'Чего здесь нет и почему',
  },
  en: {
    about: [
      'This is everything the service stores about you.',
      'Each table is written twice: in the folder json for programs, and in the folder csv for a spreadsheet.',
      'Amounts are decimals: 12.50. Their currency stands in the column currency: rub is roubles, usd is dollars.',
      'Columns that end in points are hundredths of a percent: 250 is 2.5 %. Columns that end in units are coins, in the smallest unit of the coin.',
      'Times are UTC in json, and {zone} in csv.',
    ],
    filled: 'What is in the archive',
    empty: 'Empty tables: they have no row about you, so there is no file of them',
    absent: 'What is not here, and why',
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
