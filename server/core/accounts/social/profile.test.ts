import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toProfile } from './profile.ts'

const profile = (raw: Partial<Parameters<typeof toProfile>[0]>) =>
  toProfile({ subject: 's', names: [], email: undefined, emailVerified: undefined, ...raw })

test('the first name that says anything counts, else the proved e-mail', () => {
  expect(profile({ names: [' ', undefined, '  Anna \u202e\n K '] })).toMatchObject({ name: 'Anna K' })
  expect(profile({ names: [''], email: 'A@b.test', emailVerified: true })).toMatchObject({ name: 'a@b.test' })
  expect(profile({ names: [7], email: 'a@b.test' })).toMatchObject({ name: '', email: null })
  expect(profile({ names: ['😀'.repeat(500)] }).name).toBe('😀'.repeat(100))
})

test('a provider that names nobody is refused', () => {
  const nobody = [undefined, null, '', ' ', 'a b', 'a\0b', 'я', 'x'.repeat(256), {}, true, Number.NaN, 1.5]
  for (const subject of nobody) expect(() => profile({ subject })).toThrow('the provider named nobody')
})

test('an e-mail counts only when it is one and the provider says exactly true', () => {
  const email = (value: unknown, emailVerified: unknown = true) => profile({ email: value, emailVerified }).email
  expect(email(' Anna@Example.TEST ')).toBe('anna@example.test')
  for (const bad of ['anna', 'a@b', 'a b@c.test', 'a\u202e@b.test', `${'a'.repeat(250)}@b.test`, 5, null]) {
    expect(email(bad)).toBeNull()
  }
  for (const proof of [false, 'true', 1, null]) expect(email('a@b.test', proof)).toBeNull()
})

test('whatever a provider says, what is kept can be stored and shown', () => {
  const words = fc.oneof(fc.string({ unit: 'binary' }), fc.anything())
  fc.assert(
    fc.property(words, words, words, (name, email, emailVerified) => {
      const kept = profile({ names: [name], email, emailVerified })
      for (const text of [kept.name, kept.email ?? '']) {
        expect(text.isWellFormed()).toBe(true)
        expect(text).not.toMatch(/\p{Cc}/u)
      }
      expect([...kept.name].length).toBeLessThanOrEqual(254)
    }),
  )
})
