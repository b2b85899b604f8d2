import type { Locale } from '#contract/constants.ts'
import type en from '../locales/en.json'

export type Messages = typeof en

/** Keys are checked where they are used: `t('buy.press')` of a key that is not in en.json does not compile. */
declare module 'use-intl' {
  interface AppConfig {
    Locale: Locale
    Messages: Messages
  }
}

/** The texts of one language: a file of its own, so that a page loads the one it is written in. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  switch (locale) {
    case 'ru':
      return (await import('../locales/ru.json', { with: { type: 'json' } })).default
    case 'en':
      return (await import('../locales/en.json', { with: { type: 'json' } })).default
    default:
      return locale satisfies never
  }
}
