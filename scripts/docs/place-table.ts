import type { Table } from './tables.ts'

/** Lists documentation pages whose generated tables are outdated. `pages` maps paths to texts. */
export function findStalePages(tables: readonly Table[], pages: ReadonlyMap<string, string>): string[] {
  return tables
    .filter((table) => pages.get(table.page) !== placeTable(table, pages.get(table.page) ?? ''))
    .map(({ page }) => `${page} is not what \`npm run docs\` writes`)
}

/** Inserts a generated table into a page's text. Throws if the page does not mark the table's place. */
export function placeTable({ page, name, rows }: Table, text: string): string {
  const [begin, end] = [`<!-- ${name}: generated -->\n`, `<!-- ${name}: end -->\n`]
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`${page} has no place for the table of ${name}`)
  const [head = [], ...body] = rows
  const lines = [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.map(escaped).join(' | ')} |\n`)
  return [before, begin, ...lines, end, after].join('')
}

function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|')
}
