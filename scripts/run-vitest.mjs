/** `node scripts/run-vitest.mjs PROJECT [FILE …]`: one project of vitest.config.ts, with a closing line of its own. */
import { startVitest } from 'vitest/node'
import { countTests } from './count-tests.mjs'
import { ROOT } from './run-step.mjs'
import { closeRunner } from './runner-result.mjs'

const [name = 'unit', ...files] = process.argv.slice(2)
const result = { name, passed: 0, failed: 0, notRun: [] }
const count = (counted, unhandledErrors) => countTests(result, counted, unhandledErrors)

const vitest = await startVitest('test', files, {
  root: ROOT,
  project: [name],
  watch: false,
  reporters: ['default', { onTestRunEnd: count }],
})
await vitest.close()
if (result.passed + result.failed + result.notRun.length === 0) {
  console.error(`There are no tests in ${name}.`)
  result.failed = 1
}
closeRunner(result)
