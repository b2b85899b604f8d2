import type { Locale } from '#contract/constants.ts'
import type { FirstTexts, LaterTexts } from './sections.ts'

export type Messages = FirstTexts & LaterTexts

/** Type-checks message keys: a key that the English texts lack does not compile. */
declare module 'use-intl' {
  interface AppConfig {
    Locale: Locale
    Messages: Messages
  }
}

/** `first`: texts of any first page. `all`: also those of dialogs and member screens. */
export type TextExtent = 'first' | 'all'

/** One file per language and extent, so a page loads only the texts that it uses. */
export async function loadMessages(locale: Locale, extent: TextExtent): Promise<Messages> {
  const [first, later] = await Promise.all([loadFirst(locale), extent === 'all' ? loadLater(locale) : {}])
  return { ...first, ...later }
}

export function extentOf(messages: Messages): TextExtent {
  return 'login' in messages ? 'all' : 'first'
}

async function loadFirst(locale: Locale): Promise<Messages> {
  switch (locale) {
    case 'ru':
      return (await import('#web/locales/ru/first')).texts
    case 'en':
      return (await import('#web/locales/en/first')).texts
    default:
      return locale satisfies never
  }
}

async function loadLater(locale: Locale): Promise<LaterTexts> {
  switch (locale) {
    case 'ru':
      return (await import('#web/locales/ru/later')).texts
    case 'en':
      return (await import('#web/locales/en/later')).texts
    default:
      return locale satisfies never
  }
}
