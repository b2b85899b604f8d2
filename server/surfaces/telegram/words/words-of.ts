import type { Locale } from '#contract/constants.ts'
import { english } from './english.ts'
import { russian } from './russian.ts'
import type { TelegramWords } from './telegram-words.ts'

const LANGUAGES: Record<Locale, TelegramWords> = { ru: russian, en: english }

export function telegramWords(locale: Locale): TelegramWords {
  return LANGUAGES[locale]
}
