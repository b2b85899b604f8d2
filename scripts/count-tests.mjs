import { inCi } from './runner-result.mjs'

/**
 * Adds to a result every test of a run, and as a failure each file that could not be read, each error outside of any
 * test and, in CI, each test that passed only on a second try: it may be a fault that comes and goes.
 * @param {import('./runner-result.mjs').RunnerResult} result
 * @param {readonly import('vitest/node').TestModule[]} files
 * @param {readonly unknown[]} unhandledErrors
 */
export function countTests(result, files, unhandledErrors) {
  for (const file of files) {
    if (file.errors().length > 0) result.failed += 1
    for (const test of file.children.allTests()) countTest(result, file, test)
  }
  result.failed += unhandledErrors.length
}

function countTest(result, file, test) {
  const { state, note, errors = [] } = test.result()
  const name = `${file.relativeModuleId} > ${test.fullName}`
  const triedAgain = state === 'passed' && (test.diagnostic()?.retryCount ?? 0) > 0
  if (triedAgain) {
    const how = errors.map((error) => `${error.stack ?? error.message}\n${error.diff ?? ''}`).join('\n')
    console.warn(`passed on a second try${inCi() ? ', which fails here' : ''}: ${name}\n${how}`)
  }
  if (state === 'skipped') result.notRun.push(`${name} (${note ?? 'no reason given'})`)
  else if (state === 'failed' || (triedAgain && inCi())) result.failed += 1
  else if (state === 'passed') result.passed += 1
  else result.notRun.push(`${name} (${state})`)
}
