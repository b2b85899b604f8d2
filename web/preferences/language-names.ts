import type { Locale } from '#contract/constants.ts'

export const LANGUAGE_NAMES: Record<Locale, string> = { ru: 'Русский', en: 'English' }
