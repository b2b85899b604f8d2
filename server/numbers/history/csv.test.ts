import { expect, test } from 'vitest'
import { csvHead, csvLine } from './csv.ts'

test('cells are quoted where they must be, and no text is a formula', () => {
  expect(csvHead(['Номер', 'Цена, ₽'])).toBe('\uFEFFНомер,"Цена, ₽"\r\n')
  expect(
    csvLine([{ text: 'a"b' }, { text: 'two\nlines' }, { text: null }, { figure: '-12.50' }, { figure: null }]),
  ).toBe('"a""b","two\nlines",,-12.50,\r\n')
  for (const evil of ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '=cmd|"/C calc"!A0', '=HYPERLINK("http://x","y")']) {
    const line = csvLine([{ text: evil }])
    expect(line.replace(/^"/, '')).toMatch(/^'/)
  }
  expect(csvLine([{ text: '\r=1' }])).toBe(`"'\r=1"\r\n`)
})
