import { expect, test } from 'vitest'
import { systemRandom } from '#server/house/clock.ts'
import { seal, unseal } from './secret-key.ts'

const settings = { host: 'smsc.example', password: 'пароль' }

test('what is sealed is opened by the same key only, and shows nothing of itself', () => {
  const stored = seal(settings, 'the current key', systemRandom)
  expect(JSON.stringify(stored)).not.toContain('smsc')
  expect(unseal(stored, ['the current key'])).toEqual({ value: settings, outdated: false })
  expect(() => unseal(stored, ['another key'])).toThrow('SECRET_KEY')
})

test('after a change of the key the former one still opens it, and says that it is outdated', () => {
  const stored = seal(settings, 'the former key', systemRandom)
  expect(unseal(stored, ['the current key', 'the former key'])).toEqual({ value: settings, outdated: true })
})

test('a changed byte is noticed', () => {
  const { sealed } = seal(settings, 'the current key', systemRandom)
  const text = String(sealed)
  const changed = { sealed: text.slice(0, -2) + (text.endsWith('AA') ? 'BB' : 'AA') }
  expect(() => unseal(changed, ['the current key'])).toThrow('SECRET_KEY')
})
