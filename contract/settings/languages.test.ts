import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contentLocale, INTERFACE_LOCALES, isDraft, languageName } from './languages.ts'

test('a language is a folder of texts with one line in the table', () => {
  const entries = readdirSync(new URL('../../web/locales', import.meta.url), { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  expect(folders.sort()).toEqual([...INTERFACE_LOCALES].sort())
})

test('a draft says so in its own language, and its content is English', () => {
  expect(INTERFACE_LOCALES.map((locale) => [languageName(locale), isDraft(locale), contentLocale(locale)])).toEqual([
    ['Русский', false, 'ru'],
    ['English', false, 'en'],
    ['Español (borrador)', true, 'en'],
    ['中文 (草稿)', true, 'en'],
  ])
})
