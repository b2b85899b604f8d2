import type { Locale } from '#contract/constants.ts'
import type { Mail } from '#contract/mails.ts'

export type MailWords = {
  subject: string
  heading: string
  lead: string
  code?: string
  /** `url` is the page where the reader can change `value`. */
  facts?: { label: string; value: string; url?: string }[]
  action?: { label: string; url: string }
  note?: string
  ifNotYou: string
}

type MailOf = { [Kind in Mail['kind']]: Extract<Mail, { kind: Kind }> }

export type Language = {
  words: { [Kind in Mail['kind']]: (mail: MailOf[Kind], site: string) => MailWords }
  footer: string
  plainLink: string
}

/** Returns the texts of a mail. `kind` and `mail` are separate, so that the compiler can match their types. */
export function wordsOf<Kind extends Mail['kind']>(
  language: Language,
  kind: Kind,
  given: { mail: MailOf[Kind]; site: string },
): MailWords {
  return language.words[kind](given.mail, given.site)
}

const PROVIDER_NAMES: Record<string, Record<Locale, string>> = {
  google: { ru: 'Google', en: 'Google' },
  vkontakte: { ru: 'ВКонтакте', en: 'VK' },
  telegram: { ru: 'Telegram', en: 'Telegram' },
  passkey: { ru: 'ключ доступа', en: 'a passkey' },
}

export function providerName(provider: string, locale: Locale): string {
  return PROVIDER_NAMES[provider]?.[locale] ?? provider
}

/** Formats a time. The text names the time zone, because few people have set their own time zone. */
export function momentWords(iso: string, locale: Locale, timeZone?: string | null): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return iso
  const format = new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : 'ru-RU', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timeZone ?? 'UTC',
  })
  return `${format.format(at)} ${timeZone == null ? 'UTC' : `(${timeZone})`}`
}
