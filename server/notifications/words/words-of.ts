import type { Locale } from '#contract/constants.ts'
import type { Context } from '#server/context.ts'
import type { Details, Told } from '#server/notifications/kinds.ts'
import { english } from './english.ts'
import type { Names, NotificationWords, Words } from './language.ts'
import { russian } from './russian.ts'

const LANGUAGES: Record<Locale, NotificationWords> = { ru: russian, en: english }

/** Of services and countries. */
export type Named = { catalog: Pick<Context['catalog'], 'services' | 'countries'> }

/** Words are made when they are read, so a change of language changes them. */
export function wordsOf(ctx: Named, told: Told, locale: Locale): Words {
  return wordsOfKind(LANGUAGES[locale], told.kind, { details: told.details, names: namesIn(ctx, locale) })
}

/** `kind` and `details` are separate so that the compiler can match them. */
function wordsOfKind<Kind extends keyof Details>(
  words: NotificationWords,
  kind: Kind,
  given: { details: Details[Kind]; names: Names },
): Words {
  return words[kind](given.details, given.names)
}

function namesIn({ catalog }: Named, locale: Locale): Names {
  const name = locale === 'ru' ? 'name_ru' : 'name_en'
  return {
    service: (code) => catalog.services.get(code)?.[name] ?? code,
    country: (id) => catalog.countries.get(id)?.[name] ?? String(id),
    dial: (id) => catalog.countries.get(id)?.dial ?? '',
  }
}
