import type { Locale } from '#contract/constants.ts'
import { type Markup, markup } from '#server/house/http/plain-page/markup.ts'
import { pageFrame } from '#server/house/http/plain-page/page-frame.ts'
import type { DemoMail } from '#server/house/mail/demo-mail-queries.ts'

type Words = { [Key in keyof typeof ENGLISH]: string }

const ENGLISH = {
  title: 'Demo e-mails',
  lead: 'Every e-mail the demo sends appears here, newest first.',
  none: 'No e-mails yet. Register or request a new password, and the e-mail will appear here.',
  refresh: 'Refresh',
  back: 'All e-mails',
  to: 'To',
  at: 'Sent',
  letter: 'E-mail',
  text: 'Plain text version',
}

const WORDS: Record<Locale, Words> = {
  en: ENGLISH,
  ru: {
    title: 'Письма демо',
    lead: 'Здесь все письма, которые отправило демо. Новые сверху.',
    none: 'Писем пока нет. Зарегистрируйтесь или запросите новый пароль, и письмо появится здесь.',
    refresh: 'Обновить',
    back: 'Все письма',
    to: 'Кому',
    at: 'Отправлено',
    letter: 'Письмо',
    text: 'Текстовая версия',
  },
}

export function listPage(locale: Locale, mails: readonly DemoMail[]): string {
  const words = WORDS[locale]
  const rows = mails.map(
    ({ id, to, subject, at }) => markup`<li><a href="/demo/mail/${id}">
      <strong>${subject}</strong><span>${to}</span>${time(locale, at)}</a></li>`,
  )
  const list = rows.length === 0 ? markup`<p class="none">${words.none}</p>` : markup`<ol>${rows}</ol>`
  return pageFrame(
    locale,
    words.title,
    markup`<header><h1>${words.title}</h1><a class="action" href="/demo/mail">${words.refresh}</a></header>
    <p class="lead">${words.lead}</p>${list}`,
  )
}

export function mailPage(locale: Locale, mail: DemoMail): string {
  const words = WORDS[locale]
  return pageFrame(
    locale,
    mail.subject,
    markup`<header><h1>${mail.subject}</h1><a class="action" href="/demo/mail">${words.back}</a></header>
    <dl><dt>${words.to}</dt><dd>${mail.to}</dd><dt>${words.at}</dt><dd>${time(locale, mail.at)}</dd></dl>
    <iframe title="${words.letter}" src="/demo/mail/${mail.id}/letter"
      sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
    <h2>${words.text}</h2><pre tabindex="0">${mail.text}</pre>`,
  )
}

function time(locale: Locale, at: Date): Markup {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })
  return markup`<time datetime="${at.toISOString()}">${format.format(at)} UTC</time>`
}
