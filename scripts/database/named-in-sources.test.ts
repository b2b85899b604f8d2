import { expect, test } from 'vitest'
import { namedIn, sourceOf } from './named-in-sources.ts'

const PATH = 'server/mail/queries.ts'

test('names stand beside a text; those of values and the place of the row are told where they are there', () => {
  const text = `await db.query<Row>({ name: 'mail-find', text: \`SELECT \${X}\`, values: [input.userId, now, a + b] })`
  const [found, ...others] = namedIn(PATH, text)
  expect(others).toEqual([])
  expect(found).toMatchObject({ source: PATH, name: 'mail-find', values: ['userId', 'now', undefined] })
  expect(text.slice(found?.row?.start, found?.row?.end)).toBe('Row')
})

test('a name without a text is no statement, and neither is one that is only passed on', () => {
  expect(namedIn(PATH, `const a = { name: 'x' }, b = { name, text: 'SELECT 1' }`)).toEqual([])
})

test('a condition has two names, and one with a value in it is a pattern, behind an exact one', () => {
  const text = `q({ name: a ? 'list-old' : \`list-\${b}-\${c}\`, text: '' }); q({ name: 'list-a-b', text: 'x' })`
  const sources = namedIn(PATH, text)
  expect(sources.map(({ name }) => name)).toEqual(['list-old', 'list-…-…', 'list-a-b'])
  const named = (name: string) => sourceOf(name, sources)?.name
  expect(['list-old', 'list-a-b', 'list-c-d', 'list-c', 'a-list-c-d'].map(named)).toEqual([
    ...['list-old', 'list-a-b', 'list-…-…'],
    ...[undefined, undefined],
  ])
})
