/**
 * `notRun` has reasons, `faults` first errors.
 * @typedef {{ name: string, passed: number, failed: number, notRun: string[], faults: string[] }} RunnerResult
 */

/** `npm test` gets the result over IPC and repeats it at the end. @param {RunnerResult} result */
export function closeRunner(result) {
  printResult(result)
  if (result.failed > 0) process.exitCode = 1
  process.send?.(result)
}

export function inCi() {
  return !['', '0', 'false'].includes(process.env.CI ?? '')
}

export function printResult({ name, passed, failed, notRun, faults }) {
  for (const fault of faults) console.log(`  failed: ${fault}`)
  for (const reason of notRun) console.log(`  not run: ${reason}`)
  console.log(`${name}: ${passed} passed, ${failed} failed, ${notRun.length} skipped`)
}
