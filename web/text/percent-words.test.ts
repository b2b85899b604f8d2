import { expect, test } from 'vitest'
import { percentWords } from './percent-words.ts'

test('a percentage is written as its language does', () => {
  expect(['8.5', '10'].map((percent) => percentWords(percent, 'ru'))).toEqual(['8,5\u00a0%', '10\u00a0%'])
  expect(['8.5', '10'].map((percent) => percentWords(percent, 'en'))).toEqual(['8.5%', '10%'])
})
