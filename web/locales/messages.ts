import type { InterfaceLocale } from '#contract/settings/languages.ts'
import { folders } from '#web/locales/folders'
import type { InitialTexts, LazyTexts } from './sections.ts'

export type Messages = InitialTexts & LazyTexts

declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages
  }
}

/** `initial` are the texts that a first page needs. `all` includes the texts of dialogs and member screens. */
export type TextExtent = 'initial' | 'all'

/** Loads the texts of a language. The `initial` texts have their own file, so a first page loads only them. */
export async function loadMessages(locale: InterfaceLocale, extent: TextExtent): Promise<Messages> {
  const { initial, lazy } = folders[locale]
  const [first, later] = await Promise.all([initial(), extent === 'all' ? lazy() : null])
  return { ...first.texts, ...later?.texts }
}

export function extentOf(messages: Messages): TextExtent {
  return 'login' in messages ? 'all' : 'initial'
}
