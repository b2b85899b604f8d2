import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ROOT } from './run-step.mjs'

test('it knows the random tests, and names them to whoever asks for another', async () => {
  const refused = await promisify(execFile)(process.execPath, ['scripts/soak.mjs', 'no-such-test'], {
    cwd: ROOT,
  }).catch((error) => error)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(/^No such random test; there are:\n/)
  expect(refused.stderr).toContain('server/core/numbers/activations/books.property.test.ts\n')
  expect(refused.stderr).toContain('test/bad-days/crash-walk/payments.test.ts\n')
  expect(refused.stderr).toMatch(/\ncluster\ncluster-faults\nscreens\nbrowsers\n$/)
})
