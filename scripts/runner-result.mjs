/**
 * @typedef {{ name: string, passed: number, failed: number, notRun: string[], faults: string[] }} RunnerResult
 * `notRun`: each test that was left out, with its reason. `faults`: each failed test with its first error.
 */

/**
 * How every runner ends: its closing line, its exit code, and the same for `npm test`, which repeats it at the end.
 * @param {RunnerResult} result
 */
export function closeRunner(result) {
  printResult(result)
  if (result.failed > 0) process.exitCode = 1
  process.send?.(result)
}

/** Whether this is the machine that judges for everybody: there nothing is let pass. */
export function inCi() {
  return !['', '0', 'false'].includes(process.env.CI ?? '')
}

/** @param {RunnerResult} result */
export function printResult({ name, passed, failed, notRun, faults }) {
  for (const fault of faults) console.log(`  failed: ${fault}`)
  for (const reason of notRun) console.log(`  not run: ${reason}`)
  console.log(`${name}: ${passed} passed, ${failed} failed, ${notRun.length} skipped`)
}
