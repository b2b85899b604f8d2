import type { Locale } from '#contract/constants.ts'

/** Each in its own language. */
export const LANGUAGE_NAMES: Record<Locale, string> = { ru: 'Русский', en: 'English' }
