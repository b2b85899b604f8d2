import { expect, onTestFinished, test, vi } from 'vitest'
import { closeRun, emptyResult } from './runner-result.mjs'
import { isGraveFile, judgeSecondTries, seedOf, tellSecondTries } from './second-tries.mjs'

const tried = (name, isGrave = false) => ({ name, isGrave, seed: null, how: 'Error: the first try' })

test.each([
  [0, 0, []],
  [3, 1, []],
  [4, 0, ['4 tests passed only on a second try, 3 at most']],
  [2, 2, [expect.stringMatching(/^2 of them are of money.*, 1 at most: grave 0; grave 1$/)]],
  [5, 3, [expect.stringMatching(/^5 tests/), expect.stringMatching(/^3 of them/)]],
])('%i second tries, %i of them grave', (count, grave, reasons) => {
  const tries = Array.from({ length: count }, (_, place) =>
    tried(`${place < grave ? 'grave' : 'plain'} ${place}`, place < grave),
  )
  expect(judgeSecondTries(tries)).toEqual(reasons)
})

test.each([
  ['server/house/money/verify.test.ts', '', true],
  ['server/core/payments/begin/begin-payment.test.ts', '', true],
  ['server/core/numbers/ownership/choose-owner.test.ts', '', true],
  ['server/core/numbers/purchase/buy.test.ts', '', true],
  ['server/adapters/shared/chain/advance.test.ts', '', true],
  ['test/bad-days/crash-walk/accounts.test.ts', '', true],
  ['server/core/catalog/routing/routing.property.test.ts', '', true],
  ['server/core/accounts/social/hostile.test.ts', "import fc from 'fast-check'", true],
  ['server/core/numbers/history/history.test.ts', "import { expect } from 'vitest'", false],
  ['test/e2e/buying.test.ts', '', false],
])('%s is judged by its place and its means', (path, text, isGrave) => {
  expect(isGraveFile(path, text)).toBe(isGrave)
})

test('the seed is what the failure told', () => {
  const property = `Property failed after 3 tests\n{ seed: -17, path: "2:0", endOnFailure: true }\nCounterexample: [1]`
  expect(seedOf([{ message: property }])).toBe('{ seed: -17, path: "2:0", endOnFailure: true }')
  expect(seedOf([{ message: 'a case went wrong\nSEED=4f2a npm test' }])).toBe('SEED=4f2a')
  expect(seedOf([{ message: 'expected 1 to be 2' }])).toBeNull()
})

test('it is told with the failure of the first try', () => {
  expect(tellSecondTries([{ ...tried('a > b'), seed: 'SEED=4f2a' }])).toEqual([
    '  passed on a second try, mend it: a > b (SEED=4f2a)',
    '      Error: the first try',
  ])
})

test('the runners of a run are judged together', () => {
  const said = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
  onTestFinished(() => {
    vi.restoreAllMocks()
  })
  for (const spy of said) spy.mockReturnValue(undefined)
  const runner = (name, ...secondTries) => ({ ...emptyResult(name), passed: 5, secondTries })
  const e2e = runner('e2e', tried('a'), tried('b'))
  expect(closeRun([e2e, runner('unit', tried('c', true))])).toBe(true)
  expect(closeRun([e2e, runner('unit', tried('c'), tried('d'))])).toBe(false)
  expect(closeRun([runner('unit', tried('c', true)), runner('postgres-15', tried('d', true))])).toBe(false)
  expect(closeRun([{ ...runner('unit'), failed: 1 }])).toBe(false)
})
