import { expect, test } from 'vitest'
import { sectionInView } from './section-in-view.ts'

const places = [
  { id: 'user', top: -400 },
  { id: 'price', top: 90 },
  { id: 'webhooks', top: 500 },
]

test('the section is the last that has begun, and none before the first', () => {
  expect(sectionInView(places, { isAtEnd: false, chosen: 'webhooks' })).toBe('price')
  expect(sectionInView(places.slice(2), { isAtEnd: false, chosen: '' })).toBeNull()
})

test('at the end of the page the chosen section counts, and otherwise the last', () => {
  expect(sectionInView(places, { isAtEnd: true, chosen: 'price' })).toBe('price')
  expect(sectionInView(places, { isAtEnd: true, chosen: 'gone' })).toBe('webhooks')
  expect(sectionInView([], { isAtEnd: true, chosen: '' })).toBeNull()
})
