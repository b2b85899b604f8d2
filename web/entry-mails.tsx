import { renderToStaticMarkup } from 'react-dom/server'
import type { Locale } from '#contract/constants.ts'
import type { MailRequest, RenderedMail } from '#contract/mails.ts'
import { english } from './mails/english.ts'
import { Letter } from './mails/letter.tsx'
import { plainText } from './mails/plain-text.ts'
import { russian } from './mails/russian.ts'
import { type Language, wordsOf } from './mails/words.ts'

const LANGUAGES: Record<Locale, Language> = { ru: russian, en: english }

/** Renders a mail. Its HTML loads nothing from the network. */
export async function renderMail({ mail, locale, publicUrl: site }: MailRequest): Promise<RenderedMail> {
  const language = LANGUAGES[locale]
  const words = wordsOf(language, mail.kind, { mail, site })
  const markup = renderToStaticMarkup(<Letter words={words} language={language} locale={locale} site={site} />)
  return { subject: words.subject, text: plainText(words, language, site), html: `<!doctype html>${markup}` }
}
