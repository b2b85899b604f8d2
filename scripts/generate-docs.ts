// Writes the generated tables of the documentation. `--check` compares instead of writing.
import { readFile, writeFile } from 'node:fs/promises'
import { findStalePages, placeTable } from './docs/place-table.ts'
import { TABLES } from './docs/tables.ts'

const ROOT = new URL('../', import.meta.url)

const pages = new Map<string, string>()
for (const { page } of TABLES) pages.set(page, await readFile(new URL(page, ROOT), 'utf8'))
if (process.argv.includes('--check')) {
  const stale = findStalePages(TABLES, pages)
  for (const sentence of stale) console.error(sentence)
  if (stale.length > 0) process.exitCode = 1
} else {
  for (const table of TABLES) await writeFile(new URL(table.page, ROOT), placeTable(table, pages.get(table.page) ?? ''))
}
