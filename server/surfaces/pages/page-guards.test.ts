import { expect, test } from 'vitest'
import { isBot } from '#contract/bots.ts'
import type { PageRoute } from '#contract/page-request.ts'
import { refuseUnknownGuards } from './page-guards.ts'

// Checklist 6.3: a route with an unknown guard fails the start. A built bundle may differ from the types.
test('a screen behind an unknown guard is refused', () => {
  const route = (access: string) => ({ name: 'x___ru', path: '/x', access, query: [] }) as unknown as PageRoute
  expect(() => refuseUnknownGuards([route('public'), route('signed-in'), route('staff')])).not.toThrow()
  expect(() => refuseUnknownGuards([route('public'), route('admin')])).toThrow('x___ru names an unknown guard: admin')
  expect(() => refuseUnknownGuards([route('toString')])).toThrow('unknown guard')
})

test.each([
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', true],
  ['Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)', true],
  ['facebookexternalhit/1.1', true],
  ['TelegramBot (like TwitterBot)', true],
  ['Mozilla/5.0 (compatible; Baiduspider/2.0)', true],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36', false],
  ['Mozilla/5.0 (Linux; Android 11; CUBOT X50) AppleWebKit/537.36 Mobile', false],
  ['', false],
])('%s', (userAgent, expected) => {
  expect(isBot(userAgent)).toBe(expected)
})
