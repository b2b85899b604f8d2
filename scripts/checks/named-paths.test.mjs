import { expect, test } from 'vitest'
import { findLostPaths } from './named-paths.mjs'

const paths = ['server', 'server/db', 'server/db/pool.ts', 'server/money', 'server/money/verify.ts', 'web/ui/price.tsx']

test.each([
  ['the whole path', '`server/db/pool.ts`', null],
  ['its end', 'see `pool.ts` and `ui/price.tsx`', null],
  ['a folder', '`server/db/`', null],
  ['several in one', '`server/{db,money}/`', null],
  ['a command and an address', '`npm run check` of `/api/openapi.json`', null],
  ['a file that has gone', '`server/db/pond.ts`', 'README.md:1 names server/db/pond.ts, which is not there'],
  ['the wrong folder', '`money/pool.ts`', 'README.md:1 names money/pool.ts, which is not there'],
  ['a half of a name', '`ool.ts`', 'README.md:1 names ool.ts, which is not there'],
  ['one of several that has gone', '`server/{db,cash}/`', 'README.md:1 names server/cash, which is not there'],
])('a document names %s', (_, text, violation) => {
  const documents = [{ path: 'README.md', text }]
  expect(findLostPaths({ documents, paths })).toEqual(violation === null ? [] : [violation])
})
