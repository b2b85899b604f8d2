import { expect, test } from 'vitest'
import { findLostPaths } from './named-paths.mjs'

const paths = [
  'server',
  'server/house/db',
  'server/house/db/pool.ts',
  'server/house/money',
  'server/house/money/verify.ts',
  'web/ui/price.tsx',
]

test.each([
  ['the whole path', '`server/house/db/pool.ts`', null],
  ['its end', 'see `pool.ts` and `ui/price.tsx`', null],
  ['a folder', '`server/house/db/`', null],
  ['several in one', '`server/house/{db,money}/`', null],
  ['a command and an address', '`npm run check` of `/api/openapi.json`', null],
  [
    'a file that has gone',
    '`server/house/db/pond.ts`',
    'README.md:1 names server/house/db/pond.ts, which is not there',
  ],
  ['the wrong folder', '`money/pool.ts`', 'README.md:1 names money/pool.ts, which is not there'],
  ['a half of a name', '`ool.ts`', 'README.md:1 names ool.ts, which is not there'],
  [
    'one of several that has gone',
    '`server/house/{db,cash}/`',
    'README.md:1 names server/house/cash, which is not there',
  ],
])('a document names %s', (_, text, violation) => {
  const documents = [{ path: 'README.md', text }]
  expect(findLostPaths({ documents, paths })).toEqual(violation === null ? [] : [violation])
})
