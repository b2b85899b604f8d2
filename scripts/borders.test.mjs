import { expect, test } from 'vitest'
import { findBorderViolations } from './borders.mjs'
import { parseSource } from './source-files.mjs'

const cases = [
  ['contract/a.ts', "import { x } from '#server/x.ts'", 'contract imports nothing of ours'],
  ['contract/a.ts', "import type { x } from '#web/x.ts'", 'contract imports nothing of ours'],
  ['contract/a.ts', "import { readFile } from 'node:fs/promises'", 'contract runs in the browser as well'],
  ['contract/a.ts', "import { x } from './b.ts'", null],
  ['web/a.tsx', "import type { x } from '#server/x.ts'", 'web imports only contract'],
  ['web/screens/a.tsx', "export { x } from '../../server/x.ts'", 'web imports only contract'],
  ['web/a.tsx', "import { x } from '#contract/x.ts'", null],
  ['server/a.ts', "const x = await import('#web/x.ts')", 'the server renders pages through the built bundle'],
  ['server/a.ts', "import { x } from '#test/x.ts'", 'the server imports only contract'],
  ['server/a.test.ts', "import { x } from '#test/x.ts'", null],
  ['server/http/test-peer.ts', "import { x } from '#test/x.ts'", null],
  ['server/db/a.ts', "import { x } from '#server/features/users/x.ts'", 'the house must not know features'],
  ['server/money/a.ts', "import { x } from '../app.ts'", 'the house must not know app.ts'],
  ['server/features/a/b.ts', "import { x } from '#server/main.ts'", 'must not know the programs'],
  ['server/app.ts', "import { x } from '#server/features/users/routes.ts'", null],
  ['server/features/a/b.ts', "import { x } from '#server/money/x.ts'", null],
  // H-10: files of the server's root were in no layer.
  [
    'server/db/a.ts',
    "import { x } from '#server/boot/start.ts'",
    'the house must not know what puts the service together',
  ],
  ['server/features/a/b.ts', "import { x } from '#server/boot/follow-money.ts'", 'must not know what puts the service'],
  ['server/errors.ts', "import { x } from '#server/features/users/x.ts'", 'the foundations must not know features'],
  ['server/new.ts', "import type { x } from './http/x.ts'", 'the foundations must not know the house'],
  [
    'server/boot/start.ts',
    "import { x } from '#server/cli/x.ts'",
    'what puts the service together must not know the programs',
  ],
  ['server/app.ts', "import { x } from './demo/x.ts'", 'app.ts must not know what puts the service together'],
  ['server/context.ts', "import type { x } from '#server/features/users/x.ts'", null],
  ['server/context.ts', "import { x } from '#server/features/users/x.ts'", 'the foundations must not know features'],
  ['server/http/a.ts', "import { x } from '#server/errors.ts'", null],
  ['server/cli/a.ts', "import { x } from '#server/demo/x.ts'", null],
  ['server/features/a/b.ts', "import { x } from '#server/features/b/state.ts'", 'features meet at verbs and queries'],
  ['server/features/a/b.ts', "import { x } from '#server/features/b/queries.ts'", null],
  ['server/features/a/b.ts', "import { x } from './state.ts'", null],
]

test.each(cases)('%s: %s', (path, text, reason) => {
  const violations = findBorderViolations([parseSource(path, text)])
  if (reason === null) expect(violations).toEqual([])
  else expect(violations).toEqual([expect.stringContaining(reason)])
})

test('a cycle is named once with its whole way', () => {
  const files = [
    parseSource('server/a.ts', "import { b } from './b.ts'"),
    parseSource('server/b.ts', "import { c } from '#server/c.ts'"),
    parseSource('server/c.ts', "import './b.ts'"),
    parseSource('server/d.ts', "import './a.ts'"),
  ]
  expect(findBorderViolations(files)).toEqual(['a cycle of imports: server/b.ts → server/c.ts → server/b.ts'])
})

test('types and lazy imports close no cycle', () => {
  const files = [
    parseSource('web/a.ts', "import type { B } from './b.ts'\nexport type { C } from './c.ts'"),
    parseSource('web/b.ts', "import { a } from './a.ts'"),
    parseSource('web/c.ts', "import { a } from './a.ts'"),
    parseSource('web/routes.ts', "export const load = () => import('./page.tsx')"),
    parseSource(
      'web/page.tsx',
      "import { load } from './routes.ts'\nexport const Page = () => <a href={load.name}>x</a>",
    ),
  ]
  expect(findBorderViolations(files)).toEqual([])
})
