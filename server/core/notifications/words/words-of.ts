import type { Locale } from '#contract/constants.ts'
import type { Details, Told } from '#server/core/notifications/kinds.ts'
import { english } from './english.ts'
import type { Names, NotificationWords, Words } from './language.ts'
import { russian } from './russian.ts'

const LANGUAGES: Record<Locale, NotificationWords> = { ru: russian, en: english }

export type Named = {
  services: ReadonlyMap<string, { name_ru: string; name_en: string }>
  countries: ReadonlyMap<number, { name_ru: string; name_en: string; dial: string }>
}

/** Returns the text of a notification, made when read, so that a change of language applies to it. */
export function wordsOf(named: Named, told: Told, locale: Locale): Words {
  return wordsOfKind(LANGUAGES[locale], told.kind, { details: told.details, names: namesIn(named, locale) })
}

/** `kind` and `details` are separate parameters so that the compiler can match their types. */
function wordsOfKind<Kind extends keyof Details>(
  words: NotificationWords,
  kind: Kind,
  given: { details: Details[Kind]; names: Names },
): Words {
  return words[kind](given.details, given.names)
}

function namesIn({ services, countries }: Named, locale: Locale): Names {
  const name = locale === 'ru' ? 'name_ru' : 'name_en'
  return {
    service: (code) => services.get(code)?.[name] ?? code,
    country: (id) => countries.get(id)?.[name] ?? String(id),
    dial: (id) => countries.get(id)?.dial ?? '',
  }
}
