import { expect, test } from 'vitest'
import type { PageRoute } from '#contract/page-request.ts'
import { allowedQuery, lowerCasePath, pageQuery, splitPayload, visitorQuery } from './page-request.ts'

test.each([
  ['/', null],
  ['/activations', null],
  ['/Activations', '/activations'],
  ['/FAQ/Money', '/faq/money'],
  ['/%D0%9F', null],
  ['/%D0%9F/A', '/%D0%9F/a'],
  ['//Evil.test', '/evil.test'],
  ['/\\Evil.test', '/evil.test'],
])('%s in small letters is %s', (path, expected) => {
  expect(lowerCasePath(path)).toBe(expected)
})

test.each([
  ['/', { pathname: '/', wantsPayload: false }],
  ['/_payload.json', { pathname: '/', wantsPayload: true }],
  ['/faq/_payload.json', { pathname: '/faq', wantsPayload: true }],
  ['/faq_payload.json', { pathname: '/faq_payload.json', wantsPayload: false }],
])('%s', (path, expected) => {
  expect(splitPayload(path)).toEqual(expected)
})

test.each([
  ['', ''],
  ['?utm_source=x', ''],
  ['?service=tg&country=0', '?country=0&service=tg'],
  ['?country=0&service=tg&utm_source=x', '?country=0&service=tg'],
  ['?service=&country=1', '?country=1'],
  ['?service=tg&service=wa', '?service=tg'],
  [`?service=${'x'.repeat(201)}`, ''],
  ['?service=a%26country%3D1', '?service=a%26country%3D1'],
])('of the query %s a page sees %s', (search, expected) => {
  expect(pageQuery(search, ['service', 'country'])).toBe(expected)
})

const routes: PageRoute[] = [
  { name: 'index___ru', path: '/', access: 'public', query: ['service'] },
  { name: 'activations___ru', path: '/activations', access: 'signed-in', query: ['search', 'sort'] },
  { name: 'blog-category___ru', path: '/blog/:category', access: 'public', query: ['page'] },
]

test.each([
  ['/', ['service']],
  ['/activations', ['search', 'sort']],
  ['/activations/', ['search', 'sort']],
  ['/blog/news', ['page']],
])('%s may have the parameters %j', (path, expected) => {
  expect(allowedQuery(routes, path)).toEqual(expected)
})

test('E-11: a visitor’s page is the same with and without a ceiling', () => {
  const known = { service: (value: string) => value === 'tg' }
  const view = { pathname: '/', search: '?max=5&service=tg' }
  expect(visitorQuery(view, known)).toEqual({ search: '?service=tg', keep: true })
})
