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
  ['web/ui/a.tsx', "import { x } from '#web/numbers/x.tsx'", 'web/ui knows no room of the product'],
  ['web/ui/a.tsx', "import { x } from '#web/ui/marks/x.tsx'", null],
  ['web/ui/a.tsx', "import { x } from '#web/app-context.ts'", null],
  ['server/a.ts', "const x = await import('#web/x.ts')", 'the server renders pages through the built bundle'],
  ['server/a.ts', "import { x } from '#test/x.ts'", 'the server imports only contract'],
  ['server/a.test.ts', "import { x } from '#test/x.ts'", null],
  ['server/http/test-peer.ts', "import { x } from '#test/x.ts'", null],
  ['server/db/a.ts', "import { x } from '#server/accounts/users/x.ts'", 'the house must not know accounts'],
  ['server/money/a.ts', "import { x } from '../app.ts'", 'the house must not know app.ts'],
  ['server/suppliers/a.ts', "import { x } from '#server/catalog/offers/x.ts'", 'suppliers must not know catalog'],
  ['server/accounts/a/b.ts', "import { x } from '#server/numbers/activations/x.ts'", 'accounts must not know numbers'],
  ['server/catalog/a/b.ts', "import type { x } from '#server/numbers/limits/x.ts'", 'catalog must not know numbers'],
  ['server/numbers/a/b.ts', "const x = await import('#server/site/content/x.ts')", 'numbers must not know site'],
  ['server/numbers/a/b.ts', "import { x } from '#server/catalog/offers/x.ts'", null],
  ['server/numbers/a/b.ts', "import { x } from '#server/main.ts'", 'numbers must not know the programs'],
  ['server/app.ts', "import { x } from '#server/accounts/users/routes.ts'", null],
  ['server/new-area/a.ts', "import { x } from '#server/clock.ts'", 'its folder is on no level'],
  // H-10: files of the server's root were in no layer.
  [
    'server/db/a.ts',
    "import { x } from '#server/boot/start.ts'",
    'the house must not know what puts the service together',
  ],
  ['server/site/a/b.ts', "import { x } from '#server/boot/follow-money.ts'", 'must not know what puts the service'],
  ['server/errors.ts', "import { x } from '#server/accounts/users/x.ts'", 'the house must not know accounts'],
  [
    'server/boot/start.ts',
    "import { x } from '#server/cli/x.ts'",
    'what puts the service together must not know the programs',
  ],
  ['server/app.ts', "import { x } from './demo/x.ts'", 'app.ts must not know what puts the service together'],
  ['server/context.ts', "import type { x } from '#server/accounts/users/x.ts'", 'the house must not know accounts'],
  ['server/http/a.ts', "import { x } from '#server/errors.ts'", null],
  ['server/cli/a.ts', "import { x } from '#server/demo/x.ts'", null],
  ['server/site/a/b.ts', "import { x } from '#server/site/b/routes.ts'", 'rooms meet at verbs and queries'],
  ['server/numbers/a/b.ts', "import { x } from '#server/numbers/b/state.ts'", 'rooms meet at verbs and queries'],
  ['server/numbers/a/b.ts', "import { x } from '#server/numbers/b/queries.ts'", null],
  ['server/numbers/a/b.ts', "import { x } from './state.ts'", null],
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

test.each([
  ['of types alone', "import type { B } from './b.ts'"],
  ['of a type passed on', "export type { B } from './b.ts'"],
  ['of a lazy import', "export const load = () => import('./b.ts')"],
  ['by an alias', "import type { B } from '#web/b.ts'"],
])('a cycle %s is one', (_, text) => {
  const files = [parseSource('web/a.ts', text), parseSource('web/b.ts', "import { a } from './a.ts'")]
  expect(findBorderViolations(files)).toEqual(['a cycle of imports: web/a.ts → web/b.ts → web/a.ts'])
})
