import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../run-step.mjs'
import { listSections } from '../texts/read-sections.mjs'

/**
 * @typedef {import('./source-files.mjs').SourceFile} SourceFile
 * @typedef {'ru' | 'en'} Language
 * @typedef {{ language: Language, place: string, text: string }} Text
 * @typedef {{ other: RegExp, word: string }} Rule
 * @typedef {{ rules: Record<Language, Rule[]>, exceptions: Record<Language, string[]> }} Decided
 */

/** Source files whose strings people read. A string with Cyrillic letters is Russian. */
const SPOKEN = [
  'web/mails/russian.ts',
  'web/mails/english.ts',
  'web/mails/words.ts',
  'contract/words/',
  'server/core/notifications/words/',
  'server/core/numbers/history/',
  'server/core/privacy/sections/',
  'server/core/privacy/export/',
  'server/surfaces/telegram/words/',
  'server/surfaces/site/demo-mail/',
  'server/programs/demo/demo-answers.ts',
  'server/adapters/sandbox-gateway/page/',
  'server/adapters/stripe/stripe.ts',
  'server/adapters/transfer/transfer.ts',
  'server/adapters/vouchers/vouchers.ts',
  'server/adapters/heleket/heleket.ts',
  'server/adapters/yookassa/yookassa.ts',
]

/** Finds texts that say a refused word. @param {Text[]} texts @param {Decided} decided */
export function findOtherWords(texts, { rules, exceptions }) {
  return texts.flatMap(({ language, place, text }) => {
    const read = exceptions[language].reduce((rest, string) => rest.replaceAll(string, ''), withoutNames(text))
    return rules[language].flatMap(({ other, word }) => {
      const found = other.exec(read)?.[0]
      if (found === undefined) return []
      return [`${place} says "${found}", which is "${word}" here: ${text.trim().slice(0, 100)}`]
    })
  })
}

/** Leaves out what no reader sees: the names of arguments and of tags. */
function withoutNames(text) {
  return text.replaceAll(/\{\{?\w+(?=[,}])/g, '{').replaceAll(/<\/?\w+>/g, '')
}

/** Reads both tables of docs/words.md. @returns {Promise<Decided>} */
export async function readDecided() {
  return parseDecided(await readFile(join(ROOT, 'docs/words.md'), 'utf8'))
}

/** @returns {Decided} */
export function parseDecided(page) {
  const decided = { rules: { ru: [], en: [] }, exceptions: { ru: [], en: [] } }
  for (const line of page.split('\n').filter((each) => /^\|(?! thing | language |-)/.test(each))) {
    const cells = line.split('|').map((cell) => cell.trim())
    if (cells.length === 8) {
      const [, , ru, en, , neverRu, neverEn] = cells
      decided.rules.ru.push(...toRules(neverRu, ru))
      decided.rules.en.push(...toRules(neverEn, en))
    } else if (cells.length === 5) decided.exceptions[cells[1]].push(cells[2])
    else throw new Error(`docs/words.md: this row has neither six cells nor three: ${line}`)
  }
  return decided
}

function toRules(cell, word) {
  return cell
    .split(', ')
    .filter((refused) => refused !== '')
    .map((refused) => ({ other: toPattern(refused), word }))
}

function toPattern(refused) {
  const letters = refused
    .replaceAll(/[.{}()?+]/g, '\\$&')
    .replaceAll('*', '\\p{L}*')
    .replaceAll(' ', '[\\s-]+')
    .replaceAll(/[её]/g, '[её]')
  const begins = /^[\p{L}\p{N}]/u.test(refused) ? '(?<![\\p{L}\\p{N}_-])' : ''
  const ends = /[\p{L}\p{N}*]$/u.test(refused) ? '(?![\\p{L}\\p{N}_-])' : ''
  return new RegExp(`${begins}${letters}${ends}`, refused === refused.toLowerCase() ? 'iu' : 'u')
}

/** Reads every text that people read. @param {SourceFile[]} files @returns {Promise<Text[]>} */
export async function readTexts(files) {
  const languages = /** @type {const} */ (['ru', 'en'])
  const stored = await Promise.all(
    languages.map(async (language) => [
      ...(await Promise.all((await jsonFiles(language)).map((path) => readJson(language, path)))),
      ...(await Promise.all((await contentFiles(language)).map((path) => readMarkdown(language, path)))),
    ]),
  )
  const spoken = files.filter(({ path }) => SPOKEN.some((start) => path.startsWith(start)) && !path.includes('.test.'))
  return [...stored.flat(2), ...spoken.flatMap(readSource)]
}

async function jsonFiles(language) {
  const words = ['', 'calls-', 'fields-', 'protocols-', 'remedies-'].map(
    (name) => `contract/words/${name}${language}.json`,
  )
  return [...(await listSections(language, ['initial', 'lazy'])), ...words]
}

async function contentFiles(language) {
  const names = await readdir(join(ROOT, 'content', language), { recursive: true })
  return names.filter((name) => /\.(md|yml)$/.test(name)).map((name) => `content/${language}/${name}`)
}

async function readJson(language, path) {
  const textsIn = (value, key) =>
    typeof value === 'string'
      ? [{ language, place: `${path} ${key}`, text: value }]
      : Object.entries(value).flatMap(([name, inner]) => textsIn(inner, key === '' ? name : `${key}.${name}`))
  return textsIn(JSON.parse(await readFile(join(ROOT, path), 'utf8')), '')
}

async function readMarkdown(language, path) {
  const text = await readFile(join(ROOT, path), 'utf8')
  const shown = text
    .replaceAll(/```.*?```/gs, (code) => code.replaceAll(/[^\n]/g, ''))
    .replaceAll(/`[^`\n]*`|\]\([^)]*\)|^asked:.*$/gm, '')
  return shown.split('\n').map((line, at) => ({ language, place: `${path}:${at + 1}`, text: line }))
}

/** Leaves out names, paths and SQL, which stand among the texts of a source file. */
function readSource({ path, strings }) {
  return strings
    .filter((text) => !/^[a-z#./_-][\w#./:-]*$/.test(text) && !/\b(SELECT|FROM|WHERE|JOIN)\b/.test(text))
    .map((text) => ({ language: /\p{Script=Cyrillic}/u.test(text) ? 'ru' : 'en', place: path, text }))
}
