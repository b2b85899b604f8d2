import type { Locale } from '#contract/constants.ts'

/** Each language by its own name, whatever the page is written in. */
export const LANGUAGE_NAMES: Record<Locale, string> = { ru: 'Русский', en: 'English' }
