import pg from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#test/harness/database.ts'
import { currentStatements, neverSent } from './current-statements.ts'
import { notAsShown, takeSent } from './sent-statements.ts'
import type { Statement } from './statement-files.ts'

const SOURCES = [
  { source: 'server/a.ts', name: 'a-find', values: ['userId'] },
  { source: 'server/a.ts', name: 'a-list-…', pattern: /^a-list-.*$/ },
]
const GONE: Statement = { name: 'gone', source: 'server/a.ts', takes: [], returns: null, text: 'SELECT 1' }

test('PostgreSQL says what is taken and returned; a name that no source has is dropped, one never sent is told', async () => {
  await using database = await createTestDatabase()
  const client = new pg.Client(database.connectionString)
  await client.connect()
  try {
    const found = { name: 'a-find', text: 'SELECT id, email, created_at FROM users WHERE id = $1', names: [] }
    const shown = { ...GONE, name: 'a-list-old', text: `UPDATE users SET nickname = $1 WHERE id = $2` }
    const current = await currentStatements(client, { sources: SOURCES, shown: [GONE], sent: [found] })
    expect(current).toEqual([
      {
        ...{ name: 'a-find', source: 'server/a.ts', text: found.text },
        takes: [{ name: 'userId', type: 'int4' }],
        returns: [
          { name: 'id', type: 'int4' },
          { name: 'email', type: 'text' },
          { name: 'created_at', type: 'timestamptz' },
        ],
      },
    ])
    expect(neverSent(SOURCES, current)).toEqual(['a-list-… of server/a.ts'])
    expect(neverSent(SOURCES, [...current, shown])).toEqual([])
    const wrong = { ...GONE, name: 'a-list-new', text: 'SELECT no_such_column FROM users' }
    await expect(currentStatements(client, { sources: SOURCES, shown: [wrong] })).rejects.toThrow('a-list-new cannot')
    expect(await currentStatements(client, { sources: SOURCES, shown: [] })).toEqual([])
  } finally {
    await client.end()
  }
})

test('each named statement that is sent is seen once, however it is sent', async () => {
  await using database = await createTestDatabase()
  // A pg.Pool says that it has ended before its sockets have, and DROP DATABASE would then end the process.
  const client = new pg.Client(database.connectionString)
  await client.connect()
  try {
    await client.query({ name: 'seen-here', text: 'SELECT $1::text', values: ['a'] })
    await client.query({ name: 'seen-here', text: 'SELECT $1::text', values: ['b'] })
    await client.query({ text: 'SELECT 2' })
    // Keeps this test's SQL statements out of the list that is compared with the documentation.
    expect(takeSent()).toEqual([{ name: 'seen-here', text: 'SELECT $1::text', names: [] }])
    expect(takeSent()).toEqual([])
  } finally {
    await client.end()
  }
})

test('a statement that is sent otherwise than it is shown, or is not shown, is named; other indents are none of that', () => {
  const sent = ['SELECT 1\n      FROM a', 'SELECT 2 FROM a', 'SELECT 3'].map((text, place) => ({
    name: `s-${place}`,
    text,
    names: [],
  }))
  const shown = ['SELECT 1\nFROM a', 'SELECT 1 FROM a'].map((text, place) => ({ ...GONE, name: `s-${place}`, text }))
  expect(notAsShown(sent, shown)).toEqual(['s-1', 's-2'])
})
