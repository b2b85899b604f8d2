import { expect, test } from 'vitest'
import { findCodeIn } from './ticket-messages.tsx'

test.each([
  ['E-13: a hyphen within it', 'WhatsApp code 833-854. Do not share it', '833854', '833-854'],
  ['E-13: a space within it', 'Your code is 123 456', '123456', '123 456'],
  ['E-13: a no-break hyphen within it', 'Код 833\u2011854', '833854', '833\u2011854'],
  ['as it stands', 'Telegram code: 48213. Link https://t.me/login/48213', '48213', '48213'],
  ['whole, not the beginning of a longer number', 'Order 482139, code 48213', '48213', '48213'],
  ['within a word, when it stands nowhere else', 'G-482134', '48213', '48213'],
  ['letters and signs', 'FB-A1B2 is yours', 'FB-A1B2', 'FB-A1B2'],
])('%s', (_, text, code, written) => {
  const found = findCodeIn(text, code)
  expect(found === null ? null : text.slice(found.start, found.end)).toBe(written)
})

test('a code that is not written in its text is found nowhere', () => {
  expect(findCodeIn('Tap the link to sign in', '48213')).toBeNull()
})
