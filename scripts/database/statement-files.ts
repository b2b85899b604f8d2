import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { layOut } from './lay-out.ts'

export const STATEMENTS_FOLDER = new URL('../../docs/statements/', import.meta.url)

/**
 * A documented SQL statement. `takes` lists the types and names of its values. `returns` is null if it returns no rows.
 */
export type Statement = {
  name: string
  source: string
  takes: readonly { name?: string; type: string }[]
  returns: readonly { name: string; type: string }[] | null
  text: string
}

const HEAD = '-- Generated, see "SQL as it is sent" in docs/architecture.md.'
const RETURNS = '-- returns: '
const NOTHING = 'nothing'
const BARE_ROWS = 'rows without columns'

export async function readStatementFiles(folder = STATEMENTS_FOLDER): Promise<Map<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(new URL(name, folder), 'utf8')] as const)),
  )
}

export function parseStatements(file: string): Statement[] {
  return file.split('\n\n').slice(1).map(parseStatement)
}

function parseStatement(block: string): Statement {
  const [name = '', source = '', ...lines] = block.trimEnd().split('\n')
  const comments = lines.filter((line) => line.startsWith('-- '))
  const takes = comments.find((line) => line.startsWith('-- $')) ?? ''
  const returns = comments.find((line) => line.startsWith(RETURNS))?.slice(RETURNS.length)
  const text = lines.filter((line) => !comments.includes(line)).join('\n')
  return {
    name: name.slice(3),
    source: source.slice(3),
    takes: listed(takes.slice(3)).map(([, ...words]) => {
      const [type = '', name] = words.toReversed()
      return name === undefined ? { type } : { name, type }
    }),
    returns: returns === undefined || returns === NOTHING ? null : readColumns(returns),
    text: text.replace(/;$/, ''),
  }
}

function readColumns(returns: string): { name: string; type: string }[] {
  return returns === BARE_ROWS ? [] : listed(returns).map(([name = '', type = '']) => ({ name, type }))
}

function listed(line: string): string[][] {
  return line === '' ? [] : line.split(', ').map((each) => each.split(' '))
}

/** Returns the documentation of SQL statements as file texts by name: one file per subfolder of `server/`. */
export function groupStatements(statements: readonly Statement[]): Map<string, string> {
  const sorted = statements.toSorted((a, b) => order(a.source, b.source) || order(a.name, b.name))
  const rooms = Map.groupBy(sorted, ({ source }) => roomOf(source))
  const files = [...rooms].map(
    ([room, inside]) => [`${room}.sql`, `${[contentsOf(inside), ...inside.map(write)].join('\n\n')}\n`] as const,
  )
  return new Map(files.sort(([a], [b]) => order(a, b)))
}

function contentsOf(statements: readonly Statement[]): string {
  const bySource = Map.groupBy(statements, ({ source }) => source)
  const lines = [...bySource].map(([source, inside]) => `-- ${source}: ${inside.map(({ name }) => name).join(', ')}`)
  return [HEAD, '--', ...lines].join('\n')
}

/**
 * Returns the name of a statement's file: `numbers-activations` for `server/core/numbers/activations/queries/end.ts`.
 */
function roomOf(source: string): string {
  const folders = source.split('/').slice(2, -1)
  return folders
    .filter((folder) => folder !== 'queries')
    .slice(0, 2)
    .join('-')
}

function write({ name, source, takes, returns, text }: Statement): string {
  const taken = takes.map((each, place) =>
    [`$${place + 1}`, each.name, each.type].filter((word) => word !== undefined).join(' '),
  )
  const given = returns?.map((column) => `${column.name} ${column.type}`).join(', ')
  return [
    `-- ${name}`,
    `-- ${source}`,
    ...(taken.length === 0 ? [] : [`-- ${taken.join(', ')}`]),
    `${RETURNS}${given === undefined ? NOTHING : given || BARE_ROWS}`,
    `${layOut(text)};`,
  ].join('\n')
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

export async function writeStatementFiles(
  files: ReadonlyMap<string, string>,
  folder = STATEMENTS_FOLDER,
): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const [name, text] of files) await writeFile(new URL(name, folder), text)
}
