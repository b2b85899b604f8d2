import type { Locale } from '#contract/constants.ts'
import type en from '#web/locales/en.json'

export type Messages = typeof en

/** Keys are checked where they are used: `t('buy.press')` of a key that is not in en.json does not compile. */
declare module 'use-intl' {
  interface AppConfig {
    Locale: Locale
    Messages: Messages
  }
}

/** How much of the texts: what every page may show at first, or also those of dialogs and of screens for members. */
export type TextExtent = 'first' | 'all'

/** The texts of one language: files of their own, so that a page loads what it is written in and no more. */
export async function loadMessages(locale: Locale, extent: TextExtent): Promise<Messages> {
  const [first, later] = await Promise.all([loadFirst(locale), extent === 'all' ? loadLater(locale) : {}])
  return { ...first, ...later }
}

/** Whether the later texts are here. On the server they always are. */
export function extentOf(messages: Messages): TextExtent {
  return 'login' in messages ? 'all' : 'first'
}

async function loadFirst(locale: Locale): Promise<Messages> {
  switch (locale) {
    case 'ru':
      return (await import('#web/locales/ru.json', { with: { type: 'json' } })).default
    case 'en':
      return (await import('#web/locales/en.json', { with: { type: 'json' } })).default
    default:
      return locale satisfies never
  }
}

async function loadLater(locale: Locale): Promise<Partial<Messages>> {
  switch (locale) {
    case 'ru':
      return (await import('#web/locales/ru.json?later')).texts
    case 'en':
      return (await import('#web/locales/en.json?later')).texts
    default:
      return locale satisfies never
  }
}
