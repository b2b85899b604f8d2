import type { Locale } from '#contract/constants.ts'
import { ERRORS, type ErrorCode } from '#contract/errors.ts'
import en from '#contract/words/en.json' with { type: 'json' }
import ru from '#contract/words/ru.json' with { type: 'json' }

export type Words = Record<Locale, string>

/** The key of an error text: an error code, `CODE.reason` if the code has several texts, or `field.` and a fault. */
export type WordsKey = keyof typeof en
export type SentenceKey = Exclude<WordsKey, `field.${string}`>

const TEXTS: Record<Locale, Record<WordsKey, string>> = { ru, en }
en satisfies Record<ErrorCode, string>

const OTHER_STATUSES: Partial<Record<SentenceKey, number>> = {
  'BAD_FILE.slow': 408,
  'TOO_MANY_REQUESTS.search': 503,
  'TOO_MANY_REQUESTS.busy': 503,
}

export function codeOf(key: SentenceKey): ErrorCode {
  // The cast is safe: a key consists of the error code, a dot and the reason.
  return key.split('.')[0] as ErrorCode
}

export function statusOf(key: SentenceKey): number {
  return OTHER_STATUSES[key] ?? ERRORS[codeOf(key)]
}

/** Lists the error texts with their codes. Texts about form fields are left out, because they have no code. */
export function listSentences(locale: Locale = 'en'): { code: ErrorCode; status: number; words: string }[] {
  const keys = Object.keys(en) as WordsKey[]
  const told = keys.filter((key): key is SentenceKey => !key.startsWith('field.'))
  return told.map((key) => ({ code: codeOf(key), status: statusOf(key), words: TEXTS[locale][key] }))
}

/** Returns an error text in each language, with each `{name}` replaced by a value. Throws if a value is missing. */
export function wordsOf(key: WordsKey, values: Record<string, string | number> = {}): Words {
  return { ru: filled(key, 'ru', values), en: filled(key, 'en', values) }
}

function filled(key: WordsKey, locale: Locale, values: Record<string, string | number>): string {
  return TEXTS[locale][key].replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`the words of ${key} need ${name}`)
    return String(value)
  })
}
