import { expect, test } from 'vitest'
import { joinParts } from './join-parts.ts'

const parts = (dataCoding: number, bodies: Record<number, string>) =>
  Object.entries(bodies).map(([sequence, body]) => ({
    sequence: Number(sequence),
    dataCoding,
    body: Buffer.from(body, 'hex'),
  }))
const options = { total: 2, defaultAlphabet: 'gsm7' as const }
const textOf = (...given: Parameters<typeof joinParts>) => joinParts(...given).text

test('a surrogate pair cut by the border of two parts is one character', () => {
  expect(textOf(parts(8, { 1: '0041d83d', 2: 'de000042' }), options)).toBe('A😀B')
})

test('so is one UTF-16 unit, and a GSM escape', () => {
  expect(textOf(parts(8, { 1: '004104', 2: '1f' }), options)).toBe('AП')
  expect(textOf(parts(0, { 1: '411b', 2: '6542' }), options)).toBe('A€B')
})

test('missing parts leave a mark where they were', () => {
  const five = { total: 5, defaultAlphabet: 'gsm7' as const }
  expect(textOf(parts(0, { 2: '42', 5: '45' }), five)).toBe('…B…E')
  expect(textOf(parts(0, { 1: '41' }), five)).toBe('A…')
  // Half a surrogate pair beside a missing part cannot be stored, so it is shown as unreadable.
  expect(textOf(parts(8, { 1: '0041d83d', 3: 'de000042' }), { ...five, total: 3 })).toBe('A\ufffd…\ufffdB')
})

test('parts of different alphabets are each read in their own', () => {
  const mixed = [...parts(0, { 1: '411b65' }), ...parts(8, { 2: '041f' })]
  expect(textOf(mixed, options)).toBe('A€П')
})

test('octets that are no text are said to be data, beside text too', () => {
  const hex = (text: string) => Buffer.from(text).toString('hex')
  expect(joinParts(parts(4, { 1: hex('Your code '), 2: hex('is 48213') }), options)).toEqual({
    text: 'Your code is 48213',
    isData: false,
  })
  expect(joinParts(parts(4, { 1: '0106', 2: '03ae' }), options)).toEqual({ text: '010603ae', isData: true })
  expect(joinParts([...parts(0, { 1: '41' }), ...parts(4, { 2: '0001' })], options)).toEqual({
    text: 'A0001',
    isData: true,
  })
})
