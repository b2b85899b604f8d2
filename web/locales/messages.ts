import type { Locale } from '#contract/constants.ts'
import type { InitialTexts, LazyTexts } from './sections.ts'

export type Messages = InitialTexts & LazyTexts

declare module 'use-intl' {
  interface AppConfig {
    Locale: Locale
    Messages: Messages
  }
}

/** `initial` are the texts that a first page needs. `all` includes the texts of dialogs and member screens. */
export type TextExtent = 'initial' | 'all'

/** Loads the texts of a language. The `initial` texts have their own file, so a first page loads only them. */
export async function loadMessages(locale: Locale, extent: TextExtent): Promise<Messages> {
  const [initial, lazy] = await Promise.all([loadInitial(locale), extent === 'all' ? loadLazy(locale) : {}])
  return { ...initial, ...lazy }
}

export function extentOf(messages: Messages): TextExtent {
  return 'login' in messages ? 'all' : 'initial'
}

async function loadInitial(locale: Locale): Promise<Messages> {
  switch (locale) {
    case 'ru':
      return (await import('#web/locales/ru/initial')).texts
    case 'en':
      return (await import('#web/locales/en/initial')).texts
    default:
      return locale satisfies never
  }
}

async function loadLazy(locale: Locale): Promise<LazyTexts> {
  switch (locale) {
    case 'ru':
      return (await import('#web/locales/ru/lazy')).texts
    case 'en':
      return (await import('#web/locales/en/lazy')).texts
    default:
      return locale satisfies never
  }
}
