import { LOCALES, type Locale } from '#contract/constants.ts'

type Language = {
  /** The name in the language itself. */
  name: string
  /** The word for "draft" in the language. A draft is offered only if LOCALES names it, and is not advertised. */
  draft?: string
  openGraph: string
  /** The tag for Intl, if not the folder's name. Numbers in texts then look like amounts, which are as in English. */
  intl?: string
}

/** The languages of the interface, each with a folder in web/locales. Content exists in LOCALES only. */
export const LANGUAGES = {
  ru: { name: 'Русский', openGraph: 'ru_RU' },
  en: { name: 'English', openGraph: 'en_US' },
  es: { name: 'Español', draft: 'borrador', openGraph: 'es_MX', intl: 'es-MX' },
  zh: { name: '中文', draft: '草稿', openGraph: 'zh_CN' },
} as const satisfies Record<Locale, Language> & Record<string, Language>

export type InterfaceLocale = keyof typeof LANGUAGES

/** The cast is safe, because the keys of a literal are known. */
export const INTERFACE_LOCALES = Object.keys(LANGUAGES) as InterfaceLocale[]

/** Returns the language of names, errors, mails and articles for a reader of the interface. */
export function contentLocale(locale: InterfaceLocale): Locale {
  return LOCALES.find((known) => known === locale) ?? 'en'
}

export function isDraft(locale: InterfaceLocale): boolean {
  return 'draft' in LANGUAGES[locale]
}

export function intlTag(locale: InterfaceLocale): string {
  const { intl = locale }: Language = LANGUAGES[locale]
  return intl
}

export function languageName(locale: InterfaceLocale): string {
  const { name, draft }: Language = LANGUAGES[locale]
  return draft === undefined ? name : `${name} (${draft})`
}
