/** The ten acceptance tests of the protocol, in the protocol's order (docs/api/sim-bank.md). */
export const TESTS = [
  'a repeated FINISH_ACTIVATION is answered with SUCCESS',
  'the bank ends no activation by itself',
  'an SMS is pushed at once',
  'a push that is refused is repeated after 10 seconds',
  'a push that was accepted is not repeated',
  'numbers are JSON numbers',
  'phones have their country code',
  'a number is given within 3 seconds',
  'counts are real',
  'excluded prefixes are excluded',
] as const

/** The result of a test. `passed` is null for a test that was not run, and `detail` tells why. */
export type Finding = { test: number; what: string; passed: boolean | null; detail: string }

/** Collects the results of a run. A test may have several results, and fails if one of them failed. */
export class Findings {
  private readonly leftOut = new Map<number, string>()
  private readonly seen = new Map<number, { passed: boolean; detail: string }>()

  note(test: number, passed: boolean, detail: string): void {
    if (this.seen.get(test)?.passed === false) return
    this.seen.set(test, { passed, detail })
  }

  leaveOut(tests: readonly number[], why: string): void {
    for (const test of tests) this.leftOut.set(test, why)
  }

  list(why: string): Finding[] {
    return TESTS.map((what, place) => {
      const found = this.seen.get(place + 1)
      return {
        test: place + 1,
        what,
        passed: found?.passed ?? null,
        detail: found?.detail ?? this.leftOut.get(place + 1) ?? why,
      }
    })
  }
}
