import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { csvHead, csvLine, personReading } from './csv.ts'

test('cells are quoted where they must be, and no text is a formula', () => {
  expect(csvHead(['Номер', 'Цена, ₽'])).toBe('\uFEFFНомер,"Цена, ₽"\r\n')
  expect(
    csvLine([{ text: 'a"b' }, { text: 'two\nlines' }, { text: null }, { figure: '-12.50' }, { figure: null }]),
  ).toBe('"a""b","two\nlines",,-12.50,\r\n')
  const plain = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '=cmd|"/C calc"!A0', '=HYPERLINK("http://x","y")']
  const disguised = [' =1+1', '\n=A1', '\u00a0=A1', '＝A1', '＋A1', '－A1', '＠SUM(A1)']
  for (const evil of [...plain, ...disguised]) {
    const line = csvLine([{ text: evil }])
    expect(line.replace(/^"/, '')).toMatch(/^'/)
  }
  expect(csvLine([{ text: '\r=1' }])).toBe(`"'\r=1"\r\n`)
})

/**
 * Parses the file as a localised Excel does on a double click: it splits by locale and guesses the type of each cell.
 */
function openedInExcel(file: string, locale: 'ru' | 'en'): unknown[][] {
  const delimiter = locale === 'ru' ? ';' : ','
  const rows: string[][] = parse(file, { bom: true, delimiter, relax_column_count: true })
  return rows.map((row) => row.map((field) => guessed(field, locale)))
}

function guessed(field: string, locale: 'ru' | 'en'): unknown {
  const formula = /^="(.*)"$/s.exec(field)
  if (formula !== null) return formula[1]?.replaceAll('""', '"')
  const moment = locale === 'ru' ? /^(\d\d)\.(\d\d)\.(\d{4}) ([\d:]{8})$/ : /^(\d{4})-(\d\d)-(\d\d) ([\d:]{8})$/
  const [, first, second, third, time] = moment.exec(field) ?? []
  if (time !== undefined)
    return { moment: `${locale === 'ru' ? [third, second, first] : [first, second, third]} ${time}` }
  const decimal = locale === 'ru' ? /^-?\d+(?:,\d+)?$/ : /^-?\d+(?:\.\d+)?$/
  if (decimal.test(field)) return Number(field.replace(',', '.'))
  // Excel misreads codes and names as dates, fractions, powers or times.
  return /^[\d\s.,:/eE+-]*\d[\d\s.,:/eE+-]*$/.test(field) ? { misread: field } : field
}

const TEXTS = [
  '0012',
  '77057000040',
  '12.05',
  '1-2',
  '3/4',
  '860-234',
  '1E5',
  '12:30',
  '7.5',
  '7,5',
  '1688',
  '007-11',
  '+1',
  '-1',
  '=1+1',
  '=HYPERLINK("http://x";"y")',
  ' =A1',
  '＝A1',
  '＠SUM(A1)',
  'Mar 5',
  'a;b',
  'a,b',
  'say "hi" 5',
  'две\nстроки 5',
  'WhatsApp',
]

test.each(['ru', 'en'] as const)('B6: a file for people opens in a %s Excel with the cells of the page', (locale) => {
  const reader = personReading(locale, 'Europe/Moscow')
  const file =
    csvHead(['Цена; ₽, всего', 'Когда'], reader) +
    csvLine([{ figure: '-12.50' }, { figure: 1200 }, { at: '2026-11-28T21:41:32.097Z' }, { at: null }], reader) +
    TEXTS.map((text) => csvLine([{ text }], reader)).join('')
  const [head, figures, ...texts] = openedInExcel(file, locale)
  expect(head).toEqual(['Цена; ₽, всего', 'Когда'])
  expect(figures).toEqual([-12.5, 1200, { moment: '2026,11,29 00:41:32' }, ''])
  expect(texts.flat()).toEqual(TEXTS)
})

test('B6: a text too long for a formula is disarmed as in a file for programs', () => {
  const long = `=${'1'.repeat(300)}`
  expect(csvLine([{ text: long }], personReading('ru', 'UTC'))).toBe(`'${long}\r\n`)
})
