import type { Locale } from '#contract/constants.ts'
import type { ErrorCode } from '#contract/errors.ts'
import en from '#contract/words/en.json' with { type: 'json' }
import ru from '#contract/words/ru.json' with { type: 'json' }

/** One sentence in every language. */
export type Words = Record<Locale, string>

/** An error code, `CODE.reason` where a code has several sentences, or `field.` with what is wrong with a field. */
export type WordsKey = keyof typeof en

const TEXTS: Record<Locale, Record<WordsKey, string>> = { ru, en }

/** The error codes that have no sentence of their own: the operator writes that of maintenance. */
type Unworded = 'MAINTENANCE'
export type Worded = Exclude<ErrorCode, Unworded>
en satisfies Record<Worded, string>

/** What a caller is told, with `{name}` replaced by the value. Throws where a value is missing. */
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
