import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { namedIn } from './named-in-sources.ts'
import { rowDifferences } from './row-differences.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PATH = 'server/queries.ts'
const RETURNS = [
  { name: 'id', type: 'int8' },
  { name: 'state', type: 'text' },
  { name: 'tags', type: 'text[]' },
  { name: 'at', type: 'timestamptz' },
  { name: 'details', type: 'jsonb' },
]
const REST = 'tags: string[]; at: Date | null; details: { a: number }'

const CASES: [string, string[]][] = [
  [`{ id: bigint; state: 'a' | 'b' | null; ${REST} }`, []],
  [`Pick<Known, 'id' | 'state'> & { ${REST}; more?: string }`, []],
  [`({ id: bigint; state: string; ${REST} } | { id: null })`, []],
  [`{ id: number; state: string; ${REST} }`, ['returns id as int8, which is bigint, not number']],
  [`{ id: bigint | string; state: null; ${REST} }`, ['returns id as int8, which is bigint, not bigint | string']],
  [
    `{ id: bigint; state: string; tags: number[]; at: string; details: unknown }`,
    ['returns tags as text[], which is string[], not number[]', 'returns at as timestamptz, which is Date, not string'],
  ],
  [
    'Record<string, string>',
    [
      'returns id as int8, which is bigint, not string',
      'returns tags as text[], which is string[], not string',
      'returns at as timestamptz, which is Date, not string',
    ],
  ],
  [`{ id: bigint; state: string; name: string; ${REST} }`, ['returns no name']],
  [`{ id: bigint; ${REST} }`, ['returns state, which its row does not name']],
]

test('a row that is typed otherwise than the statement returns it is found, with its source', async () => {
  const root = await mkdtemp(join(tmpdir(), 'ringpost-rows-'))
  try {
    await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'))
    await mkdir(join(root, 'server'))
    const options = { strict: true, target: 'es2024', module: 'nodenext', types: [] }
    await writeFile(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['server'] }))
    const calls = CASES.map(([row], place) => `await db.query<${row}>({ name: 'case-${place}', text: '' })`)
    const text = `type Known = { id: bigint; state: string; other: Date }
declare const db: { query<Row>(query: { name: string; text: string }): Promise<Row[]> }
${calls.join('\n')}
export {}\n`
    await writeFile(join(root, PATH), text)
    const statements = CASES.map((_, place) => ({
      ...{ name: `case-${place}`, source: PATH, takes: [], returns: RETURNS, text: '' },
    }))
    const found = rowDifferences({ sources: namedIn(PATH, text), statements, root, config: 'tsconfig.json' })
    expect(found).toEqual(
      CASES.flatMap(([, reasons], place) => reasons.map((reason) => `${PATH}: case-${place} ${reason}`)),
    )
  } finally {
    await rm(root, { recursive: true })
  }
})
