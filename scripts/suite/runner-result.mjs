import { judgeSecondTries, tellSecondTries } from './second-tries.mjs'

/**
 * The result of a test runner. `notRun` holds the reasons of skipped tests, and `faults` the first errors.
 * @typedef {{ name: string, passed: number, failed: number, notRun: string[], faults: string[],
 *   secondTries: import('./second-tries.mjs').SecondTry[] }} RunnerResult
 */

/** Returns the result of a test runner without tests. @param {string} name @returns {RunnerResult} */
export function emptyResult(name) {
  return { name, passed: 0, failed: 0, notRun: [], faults: [], secondTries: [] }
}

/** Prints a test runner's result and sends it to `npm test` over IPC. @param {RunnerResult} result */
export function closeRunner(result) {
  const isWell = closeRun([result])
  const isPart = process.send !== undefined
  if (isPart ? result.failed > 0 : !isWell) process.exitCode = 1
  process.send?.(result)
}

/** Prints the results of all test runners. Returns whether all is well. @param {readonly RunnerResult[]} results */
export function closeRun(results) {
  for (const result of results) printResult(result)
  const secondTries = results.flatMap((result) => result.secondTries)
  for (const line of tellSecondTries(secondTries)) console.log(line)
  const reasons = judgeSecondTries(secondTries)
  for (const reason of reasons) console.error(reason)
  return reasons.length === 0 && results.every(({ failed }) => failed === 0)
}

export function inCi() {
  return !['', '0', 'false'].includes(process.env.CI ?? '')
}

function printResult({ name, passed, failed, notRun, faults }) {
  for (const fault of faults) console.log(`  failed: ${fault}`)
  for (const reason of notRun) console.log(`  not run: ${reason}`)
  console.log(`${name}: ${passed} passed, ${failed} failed, ${notRun.length} skipped`)
}
