import { expect, test } from 'vitest'
import { ROUTES } from '#web/navigation/routes.ts'
import { navigationFor } from './navigation.ts'

const sections = (signedIn: boolean, closedPages: string[] = []) =>
  navigationFor({ signedIn, closedPages }).map(({ section }) => section)

const exists = (section: string) => ROUTES.some(({ name }) => name === `${section}___ru`)

test('2.10: a user sees the sections of the specification that exist, in its order', () => {
  expect(sections(true)).toEqual(['index', 'activations', 'rent', 'price', 'blog', 'faq'].filter(exists))
})

test('2.10: a visitor sees theirs', () => {
  expect(sections(false)).toEqual(['index', 'loyalty', 'price', 'blog', 'faq'].filter(exists))
})

test('2.11: a page closed to the visitor is not linked to', () => {
  expect(sections(true, ['activations'])).not.toContain('activations')
})

test('2.18: names of routes are unique and end as the specification says, and paths are in small letters', () => {
  expect(new Set(ROUTES.map(({ name }) => name)).size).toBe(ROUTES.length)
  expect(new Set(ROUTES.map(({ path }) => path)).size).toBe(ROUTES.length)
  for (const { name, path } of ROUTES) {
    expect(name).toMatch(/^[a-z0-9-]+___ru$/)
    expect(path).toBe(path.toLowerCase())
  }
})
