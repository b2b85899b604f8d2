import { expect, test } from 'vitest'
import { joinParts } from './join-parts.ts'

const parts = (dataCoding: number, bodies: Record<number, string>) =>
  Object.entries(bodies).map(([sequence, body]) => ({
    sequence: Number(sequence),
    dataCoding,
    body: Buffer.from(body, 'hex'),
  }))
const options = { total: 2, defaultAlphabet: 'gsm7' as const }

test('a surrogate pair cut by the border of two parts is one character', () => {
  expect(joinParts(parts(8, { 1: '0041d83d', 2: 'de000042' }), options)).toBe('A😀B')
})

test('so is one UTF-16 unit, and a GSM escape', () => {
  expect(joinParts(parts(8, { 1: '004104', 2: '1f' }), options)).toBe('AП')
  expect(joinParts(parts(0, { 1: '411b', 2: '6542' }), options)).toBe('A€B')
})

test('missing parts leave a mark where they were', () => {
  const five = { total: 5, defaultAlphabet: 'gsm7' as const }
  expect(joinParts(parts(0, { 2: '42', 5: '45' }), five)).toBe('…B…E')
  expect(joinParts(parts(0, { 1: '41' }), five)).toBe('A…')
  // Half a pair beside a gap cannot be stored: it is shown as unreadable.
  expect(joinParts(parts(8, { 1: '0041d83d', 3: 'de000042' }), { ...five, total: 3 })).toBe('A\ufffd…\ufffdB')
})

test('parts of different alphabets are each read in their own', () => {
  const mixed = [...parts(0, { 1: '411b65' }), ...parts(8, { 2: '041f' })]
  expect(joinParts(mixed, options)).toBe('A€П')
})
