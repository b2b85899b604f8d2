import { inCi } from './runner-result.mjs'

/** In CI a test that passes on its second try counts as a failure. */
export function countTests(result, files, unhandledErrors) {
  for (const file of files) {
    if (file.errors().length > 0) addFault(result, file.relativeModuleId, file.errors())
    for (const test of file.children.allTests()) countTest(result, file, test)
  }
  for (const error of unhandledErrors) addFault(result, 'outside of any test', [error])
}

const SUMMARY_LINES = 8

function addFault(result, where, [error]) {
  result.failed += 1
  const told = String(error?.stack ?? error?.message ?? error ?? 'no error was told')
  const lines = told.split('\n').slice(0, SUMMARY_LINES)
  result.faults.push([where, ...lines.map((line) => `    ${line}`)].join('\n'))
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
  else if (state === 'failed') addFault(result, name, errors)
  else if (triedAgain && inCi()) addFault(result, `${name} (passed on a second try)`, errors)
  else if (state === 'passed') result.passed += 1
  else result.notRun.push(`${name} (${state})`)
}
