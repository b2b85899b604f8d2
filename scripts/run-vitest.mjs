/** `node scripts/run-vitest.mjs PROJECT`: one project of vitest.config.ts, with a closing line of its own. */
import { startVitest } from 'vitest/node'
import { ROOT } from './run-step.mjs'
import { closeRunner } from './runner-result.mjs'

const name = process.argv[2] ?? 'unit'
const result = { name, passed: 0, failed: 0, notRun: [] }

const vitest = await startVitest('test', [], {
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

/** Counts tests, and as a failure each file that could not be read and each error outside of any test. */
function count(files, unhandledErrors) {
  for (const file of files) {
    if (file.errors().length > 0) result.failed += 1
    for (const test of file.children.allTests()) {
      const { state, note, errors = [] } = test.result()
      if (state === 'passed') {
        result.passed += 1
        // What only a second try passed may be a fault that comes and goes: it is said, and how it failed.
        for (const error of errors)
          console.warn(`tried again: ${test.fullName}\n${error.stack ?? error.message}\n${error.diff ?? ''}`)
      } else if (state === 'failed') result.failed += 1
      else result.notRun.push(`${file.relativeModuleId} > ${test.fullName} (${note ?? 'no reason given'})`)
    }
  }
  result.failed += unhandledErrors.length
}
