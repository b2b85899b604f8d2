import { expect, it } from 'vitest'
import { FULL_NUMBER as CONTRACT_FULL_NUMBER } from '#contract/rental.ts'
import { FULL_NUMBER } from './rent-mark.tsx'

it('knows the whole number by the word of the contract', () => {
  expect(FULL_NUMBER).toBe(CONTRACT_FULL_NUMBER)
})
