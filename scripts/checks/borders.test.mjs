import { expect, test } from 'vitest'
import { findBorderViolations } from './borders.mjs'
import { parseSource } from './source-files.mjs'

const cases = [
  ['contract/a.ts', "import { x } from '#server/x.ts'", 'contract imports nothing of ours'],
  ['contract/a.ts', "import type { x } from '#web/x.ts'", 'contract imports nothing of ours'],
  ['contract/a.ts', "import { readFile } from 'node:fs/promises'", 'contract runs in the browser as well'],
  ['contract/a.ts', "import { x } from './b.ts'", null],
  ['web/a.tsx', "import type { x } from '#server/x.ts'", 'web imports only contract'],
  ['web/screens/a/a.tsx', "export { x } from '../../../server/x.ts'", 'web imports only contract'],
  ['web/a.tsx', "import { x } from '#contract/x.ts'", null],
  ['server/house/a.ts', "const x = await import('#web/x.ts')", 'the server renders pages through the built bundle'],
  ['server/house/a.ts', "import { x } from '#test/x.ts'", 'the server imports only contract'],
  ['server/house/a.test.ts', "import { x } from '#test/x.ts'", null],
  ['server/new-area/a.ts', "import { x } from '#server/house/clock.ts'", 'its folder is in no area'],
  ['server/new.ts', "import type { x } from './main.ts'", 'its folder is in no area'],
  ['server/house/db/a.ts', "import { x } from '#server/core/accounts/users/x.ts'", 'house must not know core/accounts'],
  [
    'server/house/context.ts',
    "import type { x } from '#server/core/catalog/offers/x.ts'",
    'house must not know core/catalog',
  ],
  ['server/house/money/a.ts', "import { x } from '#server/programs/app.ts'", 'house must not know programs/app.ts'],
  ['server/house/http/a.ts', "import { x } from '#server/house/errors/errors.ts'", null],
  [
    'server/core/accounts/users/b.ts',
    "import { x } from '#server/core/numbers/activations/x.ts'",
    'core/accounts must not know core/numbers',
  ],
  ['server/core/numbers/limits/b.ts', "import { x } from '#server/core/catalog/offers/x.ts'", null],
  [
    'server/core/numbers/limits/b.ts',
    "const x = await import('#server/surfaces/site/content/x.ts')",
    'core/numbers must not know surfaces/site',
  ],
  [
    'server/core/catalog/offers/b.ts',
    "import type { x } from '#server/adapters/smpp/x.ts'",
    'core/catalog must not know adapters/smpp',
  ],
  [
    'server/core/accounts/sessions/b.ts',
    "import { x } from '#server/core/accounts/sign-in/x.ts'",
    'sessions comes before sign-in',
  ],
  ['server/core/accounts/sign-in/b.ts', "import { x } from '#server/core/accounts/sessions/x.ts'", null],
  ['server/core/accounts/b.ts', "import { x } from '#server/core/accounts/sign-in/x.ts'", null],
  ['server/core/numbers/new-room/b.ts', "import { x } from '#server/core/numbers/limits/x.ts'", 'has no place among'],
  [
    'server/core/numbers/purchase/b.ts',
    "import { x } from '#server/core/numbers/rentals/state.ts'",
    'rooms meet at verbs and queries',
  ],
  ['server/core/numbers/rentals/b.ts', "import { x } from './state.ts'", null],
  ['server/adapters/smpp/a.ts', "import { x } from '#server/core/numbers/delivery/receive-sms.ts'", null],
  ['server/adapters/smpp/a.ts', "import { x } from '#server/adapters/shared/own-numbers/x.ts'", null],
  [
    'server/adapters/smpp/a.ts',
    "import { x } from '#server/adapters/webhook/x.ts'",
    'adapters/smpp stands beside adapters/webhook',
  ],
  [
    'server/surfaces/staff/a.ts',
    "import { x } from '#server/adapters/smpp/x.ts'",
    'surfaces/staff stands beside adapters/smpp',
  ],
  [
    'server/adapters/shared/chain/a.ts',
    "import { x } from '#server/adapters/evm/x.ts'",
    'adapters/shared must not know adapters/evm',
  ],
  ['server/programs/app.ts', "import { x } from '#server/core/accounts/users/routes.ts'", null],
  [
    'server/programs/boot/start.ts',
    "import { x } from '#server/programs/cli/x.ts'",
    'programs/boot must not know programs/cli',
  ],
  ['server/programs/cli/a.ts', "import { x } from '#server/programs/demo/x.ts'", null],
  [
    'server/surfaces/site/a/b.ts',
    "import { x } from '#server/programs/boot/follow-money.ts'",
    'surfaces/site must not know programs/boot',
  ],
  ['web/buying/b.ts', "import { x } from '#web/numbers/x.ts'", 'web/buying must not know web/numbers'],
  ['web/buying/b.ts', "const x = await import('#web/numbers/x.ts')", 'web/buying must not know web/numbers'],
  ['web/numbers/b.ts', "import type { x } from '#web/buying/x.ts'", null],
  ['web/ui/b.ts', "import { x } from '#web/money/x.ts'", 'web/ui stands beside web/money'],
  ['web/ui/b.ts', "import { x } from '#web/navigation/x.ts'", null],
  ['web/navigation/b.ts', "import { x } from '#web/ui/x.ts'", 'web/navigation must not know web/ui'],
  ['web/new-room/b.ts', "import { x } from '#web/ui/x.ts'", 'its folder is in no area'],
  [
    'web/screens/rent/b.tsx',
    "import { x } from '#web/screens/home/x.ts'",
    'web/screens/rent stands beside web/screens/home',
  ],
  ['web/screens/new/b.tsx', "import { x } from '#web/ui/x.ts'", 'its folder is in no area'],
  ['web/screens/other-screens.ts', "export const x = () => import('./rent/page.tsx')", null],
  ['web/screens/rent/b.tsx', "import { x } from '../load-screen.ts'", 'must not know web/screens/*'],
  ['web/layouts/b.tsx', "import { x } from '#web/screens/load-screen.ts'", null],
  ['web/layouts/b.tsx', "import { x } from '#web/root.tsx'", 'web/layouts must not know web/*'],
  ['web/entry-client.tsx', "import { x } from './layouts/main.tsx'", null],
]

test.each(cases)('%s: %s', (path, text, reason) => {
  const violations = findBorderViolations([parseSource(path, text)])
  if (reason === null) expect(violations).toEqual([])
  else expect(violations).toEqual([expect.stringContaining(reason)])
})

test('a cycle is named once with its whole way', () => {
  const files = [
    parseSource('server/house/a.ts', "import { b } from './b.ts'"),
    parseSource('server/house/b.ts', "import { c } from '#server/house/c.ts'"),
    parseSource('server/house/c.ts', "import './b.ts'"),
    parseSource('server/house/d.ts', "import './a.ts'"),
  ]
  expect(findBorderViolations(files)).toEqual([
    'a cycle of imports: server/house/b.ts → server/house/c.ts → server/house/b.ts',
  ])
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
