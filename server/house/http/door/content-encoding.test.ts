import { expect, test } from 'vitest'
import { encodingFor, isKnown } from './content-encoding.ts'

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['gzip;q=0', 'identity'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['zstd', 'identity'],
  ['', 'identity'],
  [undefined, 'identity'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['gzip ; q=1.0 , br ; q=0.2', 'gzip'],
  ['gzip;q=0.1', 'gzip'],
  ['identity, gzip;q=0.5', 'identity'],
  ['identity;q=0', 'identity'],
  ['identity;q=0, *', 'br'],
  ['identity;q=0, gzip;q=0.001', 'gzip'],
  ['*;q=0', 'identity'],
  ['br;q=high, gzip;q=1e-9', 'gzip'],
  [`gzip, ${'x'.repeat(300)}`, 'identity'],
])('Accept-Encoding %s is answered with %s', (header, encoding) => {
  expect(encodingFor(header)).toBe(encoding)
  expect(encodingFor(header)).toBe(encoding)
})

test.each([
  ['W/"a"', true],
  ['"a"', true],
  ['"b", W/"a"', true],
  ['"b" ,"a"', true],
  ['*', true],
  ['W/"b"', false],
  ['a', false],
  ['', false],
  [undefined, false],
])('If-None-Match %s knows W/"a": %s', (header, known) => {
  expect(isKnown('W/"a"', header)).toBe(known)
})
