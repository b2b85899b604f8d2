import { readFileSync } from 'node:fs'
import { PASSWORD_MIN_LENGTH } from '#contract/account.ts'
import { type Words, wordsOf } from '#server/house/errors/error-words.ts'
import { isPredictable } from './predictable.ts'

const SITE_NAME = 'ringpost'
/** A local part of an e-mail address that is shorter than this occurs in too many good passwords. */
const NAME_MIN_LENGTH = 4
const MAX_DECORATION = 5

const COMMON = new Set(
  readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.normalize('NFC')),
)

export function weaknessOf(password: string, email: string | null): Words | null {
  const text = password.normalize('NFC').toLowerCase()
  if ([...text].length < PASSWORD_MIN_LENGTH) return wordsOf('field.shortest', { length: PASSWORD_MIN_LENGTH })
  if (text.includes(SITE_NAME)) return wordsOf('field.passwordOfSite')
  if (email !== null && holdsName(text, email)) return wordsOf('field.passwordOfEmail')
  if (isPredictable(text)) return wordsOf('field.passwordInRow')
  return isCommon(text) ? wordsOf('field.passwordCommon') : null
}

function holdsName(text: string, email: string): boolean {
  const local = email.normalize('NFC').toLowerCase().split('@')[0] ?? ''
  const names = [local, local.split('+')[0] ?? '']
  return names.some((name) => name !== '' && (name.length >= NAME_MIN_LENGTH ? text.includes(name) : text === name))
}

function isCommon(text: string): boolean {
  return [text, withoutSigns(text), asRussianKeys(text)].some(
    (reading) => COMMON.has(reading) || COMMON.has(undecorated(reading)),
  )
}

const SIGNS: Record<string, string> = { '@': 'a', '4': 'a', '3': 'e', '1': 'i', '!': 'i', '0': 'o', $: 's', '5': 's' }

/**
 * Replaces punctuation and digits by the letters that they imitate, except at the end, where digits are mostly real.
 */
function withoutSigns(text: string): string {
  const end = /[^\p{L}]*$/u.exec(text)?.index ?? text.length
  return [...text.slice(0, end)].map((each) => SIGNS[each] ?? each).join('') + text.slice(end)
}

function undecorated(text: string): string {
  const word = text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  return word !== '' && text.length - word.length <= MAX_DECORATION ? word : text
}

const LATIN_KEYS = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
const RUSSIAN_KEYS = 'йцукенгшщзхъфывапролджэячсмитьбюё'

function asRussianKeys(text: string): string {
  return [...text].map((each) => RUSSIAN_KEYS[LATIN_KEYS.indexOf(each)] ?? each).join('')
}
