import { readFileSync } from 'node:fs'
import { isGraveFile, seedOf } from './second-tries.mjs'

export function countTests(result, files, unhandledErrors) {
  for (const file of files) {
    if (file.errors().length > 0) addFault(result, file.relativeModuleId, file.errors())
    for (const test of file.children.allTests()) countTest(result, file, test)
  }
  for (const error of unhandledErrors) addFault(result, 'outside of any test', [error])
}

const SUMMARY_LINES = 8

function addFault(result, where, errors) {
  result.failed += 1
  result.faults.push([where, ...firstLines(errors).map((line) => `    ${line}`)].join('\n'))
}

function firstLines([error]) {
  const told = String(error?.stack ?? error?.message ?? error ?? 'no error was told')
  return told.split('\n').slice(0, SUMMARY_LINES)
}

function countTest(result, file, test) {
  const { state, note, errors = [] } = test.result()
  const name = `${file.relativeModuleId} > ${test.fullName}`
  if (state === 'failed') addFault(result, name, errors)
  else if (state === 'passed') result.passed += 1
  else result.notRun.push(`${name} (${state === 'skipped' ? (note ?? 'no reason given') : state})`)
  if (state === 'passed' && (test.diagnostic()?.retryCount ?? 0) > 0) {
    const isGrave = isGraveFile(file.relativeModuleId, readFileSync(file.moduleId, 'utf8'))
    result.secondTries.push({ name, isGrave, seed: seedOf(errors), how: firstLines(errors).join('\n') })
  }
}
