import { expect, test } from 'vitest'
import { findHouseViolations } from './house-rules.mjs'
import { parseSource } from './source-files.mjs'

const cases = [
  ['server/core/numbers/a/cancel.ts', 'const sql = `SELECT id\n FROM users`', 'SQL belongs in'],
  ['server/core/numbers/a/cancel.ts', "const sql = 'INSERT INTO users VALUES (1)'", 'SQL belongs in'],
  ['server/core/numbers/a/cancel.ts', 'const sql = `UPDATE $' + '{table} SET a = 1`', 'SQL belongs in'],
  ['server/core/numbers/a/cancel.ts', "const sql = 'DELETE FROM users'", 'SQL belongs in'],
  ['server/core/numbers/a/cancel.ts', '// SELECT … FROM is for queries.ts\nconst a = 1', null],
  ['server/core/numbers/a/cancel.ts', "const text = 'Select a number from the list'", null],
  ['server/core/numbers/a/queries.ts', "const sql = 'DELETE FROM users'", null],
  ['server/core/numbers/a/queries/end.ts', "const sql = 'DELETE FROM users'", null],
  ['server/adapters/smpp/part-queries.ts', "const sql = 'DELETE FROM users'", null],
  ['server/house/money/credit.ts', "const sql = 'DELETE FROM users'", null],
  ['server/core/numbers/a/cancel.test.ts', "const sql = 'DELETE FROM users'", null],
  [
    'server/house/http/a.ts',
    'const port = process.env.PORT',
    'only server/house/config/config.ts reads the environment',
  ],
  ['server/house/config/config.ts', 'const port = process.env.PORT', null],
  ['test/a.ts', 'const port = process.env.PORT', null],
  ['web/utils.ts', 'export const a = 1', 'the name says nothing'],
  ['server/core/numbers/a/index.ts', 'export const a = 1', 'the name says nothing'],
  ['web/a.ts', '// @ts-' + 'ignore\nexport const a = 1', 'suppresses a check'],
  ['web/a.ts', `export const a = 1${'\n'.repeat(351)}`, '351 lines, 350 at most'],
  ['web/a.ts', `export const a = 1${'\n'.repeat(350)}`, null],
  ['web/a.ts', 'const a = { ...{ b, c } }', 'spreads a literal'],
  ['web/a.tsx', 'const a = <p {...{ [b]: c }} />', null],
  ['web/a/b/c.ts', "import { a } from '../../a.ts'", 'climbs two folders'],
  ['web/a/b/c.ts', "import { a } from '../a.ts'", null],
]

test.each(cases)('%s: %s', (path, text, reason) => {
  const violations = findHouseViolations([parseSource(path, text)])
  if (reason === null) expect(violations).toEqual([])
  else expect(violations).toEqual([expect.stringContaining(reason)])
})

test('a folder holds twenty source files, whatever its tests and its folders hold', () => {
  const fill = (count) => Array.from({ length: count }, (_, n) => parseSource(`web/a/${n}.ts`, ''))
  const rest = ['web/a/0.test.ts', 'web/a/b/0.ts'].map((path) => parseSource(path, ''))
  expect(findHouseViolations([...fill(20), ...rest])).toEqual([])
  expect(findHouseViolations([...fill(21), ...rest])).toEqual(['web/a: 21 source files, 20 at most'])
})
