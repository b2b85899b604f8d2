import { expect, test } from 'vitest'
import { numberValues } from '#server/house/db/named-values.ts'

test('a name is one number wherever it stands, and casts are left alone', () => {
  const text = "SELECT $userId::bigint, 'now'::text FROM a WHERE b = $userId AND c >= ($limit)::int AND $user = 1"
  expect(numberValues(undefined, { text, values: { limit: 5, user: 2, userId: 1n, other: 0 } })).toEqual({
    text: "SELECT $1::bigint, 'now'::text FROM a WHERE b = $1 AND c >= ($2)::int AND $3 = 1",
    values: [1n, 5, 2],
  })
})

test('the same statement with other values, and its name with another text', () => {
  const ask = (text: string, values: Record<string, unknown>) => numberValues('once', { text, values })
  expect(ask('SELECT $a, $b', { a: 1, b: 2 }).values).toEqual([1, 2])
  expect(ask('SELECT $a, $b', { b: 4, a: null }).values).toEqual([null, 4])
  expect(ask('SELECT $b', { b: 5 })).toEqual({ text: 'SELECT $1', values: [5] })
})

test('a value that is missing is refused', () => {
  expect(() => numberValues('misspelt', { text: 'SELECT $a', values: { aa: 1 } })).toThrow(
    'misspelt has no value for $a',
  )
  expect(() => numberValues(undefined, { text: 'SELECT $toString', values: {} })).toThrow('no value for $toString')
})
