import { expect, test } from 'vitest'
import { redirectPath } from './redirect-path.ts'

test.each([
  ['/activations', '/activations'],
  ['/activations?sort=newest#top', '/activations?sort=newest#top'],
  ['/', '/'],
  ['//evil.test/x', null],
  ['/\\evil.test', null],
  ['/\t/evil.test', null],
  ['https://evil.test', null],
  ['javascript:alert(1)', null],
  ['activations', null],
  ['', null],
  [null, null],
  [undefined, null],
])('%s → %s', (wanted, expected) => {
  expect(redirectPath(wanted)).toBe(expected)
})
