import { expect, test } from 'vitest'
import { fillAnswer } from './compose.tsx'

test.each([
  ['Hello, {name}! Dear {name}.', 'Anna', 'Hello, Anna! Dear Anna.'],
  ['Hello, {name}! We looked.', '  ', 'Hello! We looked.'],
  ['{name}, hello', '', ', hello'],
  ['Hello, {name}!', '[win](http://evil.example) <b>\n# big', 'Hello, \\[win\\](http://evil.example) \\<b\\> \\# big!'],
  ['{name}: ticket {ticket}', '{ticket}', '{ticket}: ticket 1001'],
  ['Nothing to fill', 'Anna', 'Nothing to fill'],
])('%s with the name %s', (text, name, filled) => {
  expect(fillAnswer(text, { name, ticket: 1001 })).toBe(filled)
})
