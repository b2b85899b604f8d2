import { expect, test } from 'vitest'
import { readToldCode } from './told-code.ts'

test.each([
  ['48213', '48213'],
  [48213, '48213'],
  [' 123-456 ', '123456'],
  ['12 34 56', '123456'],
  ['G-123456', '123456'],
  ['FB-12345', '12345'],
  ['４８２１３', '48213'],
  ['7KD-92J', '7KD-92J'],
  ['kd92j', 'kd92j'],
  ['BCDFG', 'BCDFG'],
  ['1234567890', '1234567890'],
  ['Win a prize today, call us now', null],
  ['Welcome', null],
  ['Telegram code: 48213', null],
  ['Win2 now', null],
  ['', null],
  ['   ', null],
  ['123', null],
  ['12345678901', null],
  ['undefined', null],
  [null, null],
  [undefined, null],
  [true, null],
] as const)('OP-1: %j where the code belongs tells %j', (value, code) => {
  expect(readToldCode(value)).toBe(code)
})
