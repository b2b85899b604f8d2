import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../run-step.mjs'
import { listSections } from '../texts/read-sections.mjs'

/** The only word allowed for each thing, by language. */
const DECIDED = {
  ru: [
    { other: /(?<![\w-])SMS(?![\w-])/, word: 'СМС' },
    { other: /\bvk\.com\b/i, word: 'ВКонтакте' },
    { other: /API-ключ/i, word: 'ключ API' },
    { other: /учебн|игров(?:ые|ых|ыми|ым) ден|песочниц/i, word: 'тестовые деньги, тестовый ключ' },
    { other: /погасить ваучер/i, word: 'активировать ваучер' },
  ],
  en: [
    { other: /\bsign(?:s|ed|ing)?[ -](?:in|out|up)\b/i, word: 'log in, log out, register' },
    { other: /№|\bNo\. ?[{\d]/, word: '#' },
    { other: /СМС/, word: 'SMS' },
    { other: /programme\b/, word: 'program' },
    // A match before a quote or a hyphen is an identifier, not a text.
    { other: /\bfavorites?\b(?!["'-])/i, word: 'favourite' },
  ],
}

/** Finds texts that use a forbidden word. @param {{ language: 'ru' | 'en', place: string, text: string }[]} texts */
export function findOtherWords(texts) {
  return texts.flatMap(({ language, place, text }) =>
    DECIDED[language].flatMap(({ other, word }) => {
      const found = other.exec(text)?.[0]
      return found === undefined ? [] : [`${place} says "${found}", which is "${word}" here`]
    }),
  )
}

/** Matches the method and path of an API call, which are no text for readers and are not checked. */
const KEY_OF_CALL = /"[A-Z]+ \/[^"]*":/g

export async function readTexts() {
  const files = [
    ...(await pageFiles('ru')),
    ...(await pageFiles('en')),
    ['ru', 'contract/words/ru.json'],
    ['en', 'contract/words/en.json'],
    ['ru', 'contract/words/calls-ru.json'],
    ['en', 'contract/words/calls-en.json'],
    ['ru', 'web/mails/russian.ts'],
    ['en', 'web/mails/english.ts'],
    ['ru', 'server/core/notifications/words/russian.ts'],
    ['en', 'server/core/notifications/words/english.ts'],
    ...(await contentFiles('ru')),
    ...(await contentFiles('en')),
  ]
  const read = await Promise.all(files.map(([language, path]) => readLines(language, path)))
  return read.flat()
}

async function pageFiles(language) {
  const paths = await listSections(language, ['initial', 'lazy'])
  return paths.map((path) => [language, path])
}

async function contentFiles(language) {
  const names = await readdir(join(ROOT, 'content', language), { recursive: true })
  return names.filter((name) => name.endsWith('.md')).map((name) => [language, `content/${language}/${name}`])
}

async function readLines(language, path) {
  const text = await readFile(join(ROOT, path), 'utf8')
  const plain = path.endsWith('.md')
    ? text.replaceAll(/```.*?```/gs, blank).replaceAll(/`[^`\n]*`|\]\([^)]*\)/g, '')
    : text.replaceAll(KEY_OF_CALL, '')
  return plain.split('\n').map((line, at) => ({ language, place: `${path}:${at + 1}`, text: line }))
}

function blank(code) {
  return code.replaceAll(/[^\n]/g, '')
}
