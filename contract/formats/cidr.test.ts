import { expect, test } from 'vitest'
import { isWithin, parseRange } from './cidr.ts'

const holds = (range: string, address: string) => {
  const parsed = parseRange(range)
  return parsed !== null && isWithin(parsed, address)
}

test('a range holds the addresses of its network and no others', () => {
  const cases: [range: string, address: string, held: boolean][] = [
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.7', '203.0.113.8', false],
    ['203.0.113.9/24', '203.0.113.255', true],
    ['203.0.113.0/24', '203.0.114.0', false],
    ['203.0.113.128/25', '203.0.113.127', false],
    ['0.0.0.0/0', '8.8.8.8', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '8.8.8.8', false],
    ['2001:db8::/32', '2001:DB8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['2001:db8::1', '2001:db8:0:0:0:0:0:1', true],
    ['2001:db8::1/128', '2001:db8::2', false],
    // A socket that listens on both address families reports an IPv4 client in this IPv4-mapped form.
    ['203.0.113.0/24', '::ffff:203.0.113.5', true],
    ['::ffff:203.0.113.5', '203.0.113.5', true],
    ['::1', '::1', true],
    ['203.0.113.0/24', 'nonsense', false],
    ['203.0.113.0/24', '', false],
  ]
  expect(cases.map(([range, address]) => [range, address, holds(range, address)])).toEqual(cases)
})

test('what is no address or range is refused', () => {
  const wrong = [
    '',
    ' ',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '01.2.3.4',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3.4/-1',
    '1.2.3.4/8/8',
  ]
  wrong.push(
    '::/129',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7',
    'g::',
    '12345::',
    '1:2:3:4:5:6:7::8',
    'fe80::1%eth0',
    'localhost',
  )
  expect(wrong.filter((text) => parseRange(text) !== null)).toEqual([])
})
