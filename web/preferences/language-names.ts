import type { Locale } from '#contract/constants.ts'

/** The name of each language in that language. */
export const LANGUAGE_NAMES: Record<Locale, string> = { ru: 'Русский', en: 'English' }
