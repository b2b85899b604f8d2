import { readFileSync } from 'node:fs'

export type SeedRow<Column extends string> = Record<Column, string>

/** Reads a TSV file without quoting. Throws unless the header matches, so that an edit cannot shift its values. */
export function readSeedTable<Column extends string>(fileName: string, columns: readonly Column[]): SeedRow<Column>[] {
  const [header, ...lines] = readFileSync(new URL(fileName, import.meta.url), 'utf8')
    .replace(/\n$/, '')
    .split('\n')
  if (header !== columns.join('\t')) throw new Error(`${fileName}: the columns must be ${columns.join(', ')}`)
  return lines.map((line, index) => {
    const values = line.split('\t')
    if (values.length !== columns.length)
      throw new Error(`${fileName}:${index + 2}: ${columns.length} columns expected`)
    // The cast is safe: Object.fromEntries loses the type of the keys, which are exactly `columns`.
    return Object.fromEntries(columns.map((column, at) => [column, values[at] ?? ''])) as SeedRow<Column>
  })
}
