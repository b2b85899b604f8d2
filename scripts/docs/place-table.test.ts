import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { findStalePages, placeTable } from './place-table.ts'
import { TABLES, type Table } from './tables.ts'

const ROOT = new URL('../../', import.meta.url)

test.each(TABLES)('a row of $page that the code has otherwise fails the check', async (table) => {
  // Other tests may add rows to the table of memory, so the table is compared with a new copy of the page.
  const text = placeTable(table, await readFile(new URL(table.page, ROOT), 'utf8'))
  const judged = (rows: Table['rows']) => findStalePages([{ ...table, rows }], new Map([[table.page, text]]))
  expect(judged(table.rows)).toEqual([])
  const [head = [], first = [], ...rest] = table.rows
  const stale = [`${table.page} is not what \`npm run docs\` writes`]
  expect(judged([head, [...first.slice(0, -1), 'other words'], ...rest])).toEqual(stale)
  expect(judged([head, ...rest])).toEqual(stale)
})

test('what stands around a table stays, and a page without its place is refused', () => {
  const table = { page: 'a.md', name: 'things', rows: [['name'], ['a|b']] }
  const page = (lines: string) => `# A\n<!-- things: generated -->\n${lines}<!-- things: end -->\nB\n`
  expect(placeTable(table, page('old\n'))).toBe(page('| name |\n| --- |\n| a\\|b |\n'))
  expect(() => placeTable(table, '# A\n')).toThrow('a.md has no place for the table of things')
})
