import type { Locale } from '#contract/constants.ts'
import { LEFT_OUT, SECTIONS } from '#server/privacy/sections/all-sections.ts'

function reasons(): string {
  const tables = Object.entries(LEFT_OUT).map(([table, why]) => `${table}: ${why}`)
  const columns = SECTIONS.flatMap(({ table, leftOut = {} }) =>
    Object.entries(leftOut).map(([column, why]) => `${table}.${column}: ${why}`),
  )
  return [...tables, ...columns].join('\r\n')
}

/** The first thing in the file. */
export const README: Record<Locale, string> = {
  ru: [
    'Здесь всё, что сервис хранит о вас. Каждая таблица записана дважды: в папке json и в папке csv.',
    'Суммы в столбцах на _micros — миллионные доли единицы валюты: 12500000 — это 12,50. Время — UTC.',
    'Ниже — чего здесь нет и почему (по-английски, как называются сами столбцы).',
    '',
    reasons(),
    '',
  ].join('\r\n'),
  en: [
    'This is everything the service stores about you. Each table is written twice: in the folder json and in the folder csv.',
    'Amounts in columns that end in _micros are millionths of the unit of the currency: 12500000 is 12.50. Times are UTC.',
    'Below is what is not here, and why.',
    '',
    reasons(),
    '',
  ].join('\r\n'),
}
