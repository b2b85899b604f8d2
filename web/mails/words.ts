import type { Locale } from '#contract/constants.ts'
import type { Mail } from '#contract/mails.ts'

/** What one letter says. The HTML and the plain text are both made from it, in this order. */
export type MailWords = {
  subject: string
  heading: string
  /** What happened or what is asked, in a sentence or two. */
  lead: string
  /** A code to type, shown large. */
  code?: string
  /** Particulars, one a line. */
  facts?: { label: string; value: string }[]
  /** The one thing to press. */
  action?: { label: string; url: string }
  note?: string
  ifNotYou: string
}

type MailOf = { [Kind in Mail['kind']]: Extract<Mail, { kind: Kind }> }

/** One language: what each kind says. `site` is the origin of the site. */
export type Language = {
  words: { [Kind in Mail['kind']]: (mail: MailOf[Kind], site: string) => MailWords }
  /** Under every letter. */
  footer: string
  /** Stands before the address of the button, for programs that show no button. */
  plainLink: string
}

/** The words of this mail: `kind` and `mail` come apart so that the compiler sees that they fit together. */
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
}

export function providerName(provider: string, locale: Locale): string {
  return PROVIDER_NAMES[provider]?.[locale] ?? provider
}

/** A moment for people anywhere: mails are read in places we do not know, so the zone is named. */
export function momentWords(iso: string, locale: Locale): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return iso
  const format = new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : 'ru-RU', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  })
  return `${format.format(at)} UTC`
}
