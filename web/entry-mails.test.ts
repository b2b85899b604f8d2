import { expect, test } from 'vitest'
import { UNKNOWN_DEVICE } from '#contract/account-constants.ts'
import { LOCALES, type Locale } from '#contract/constants.ts'
import type { Mail, MailRenderer } from '#contract/mails.ts'
import * as entry from './entry-mails.tsx'

// The server loads the mail renderer with this type (server/programs/boot/load-mails.ts).
const renderer: MailRenderer = entry
const publicUrl = 'https://numbers.example'

const TOLD_LATER = { since: '2026-01-31T04:15:00.000Z', why: 'the link broke' }
const MAILS: { [Kind in Mail['kind']]: { mail: Extract<Mail, { kind: Kind }>; says: string[] } } = {
  'verify-email': { mail: { kind: 'verify-email', code: '048213' }, says: ['048213', '10'] },
  'already-registered': { mail: { kind: 'already-registered' }, says: [`${publicUrl}/?login=1`] },
  'reset-password': {
    mail: { kind: 'reset-password', url: `${publicUrl}/check/reset-password?email=a%40b.example&token=t` },
    says: [`${publicUrl}/check/reset-password?email=a%40b.example&token=t`, '60'],
  },
  'password-changed': {
    mail: { kind: 'password-changed', linked: ['google'], keys: 3, chat: 'Anna' },
    says: [
      `${publicUrl}/?login=1`,
      'Google',
      '3',
      `${publicUrl}/settings/api`,
      'Anna',
      `${publicUrl}/settings/notifications`,
    ],
  },
  'link-email': { mail: { kind: 'link-email', code: '000007' }, says: ['000007', '10'] },
  'email-changed': { mail: { kind: 'email-changed', newEmail: 'new@example.org' }, says: ['new@example.org'] },
  'new-device': {
    mail: { kind: 'new-device', device: 'Chrome, Windows', address: '203.0.113.9', at: '2026-01-31T23:05:00.000Z' },
    says: ['Chrome, Windows', '203.0.113.9', '23:05', '2026', 'UTC', `${publicUrl}/settings/sessions`],
  },
  'two-factor-on': { mail: { kind: 'two-factor-on' }, says: [`${publicUrl}/settings/security`] },
  'two-factor-off': { mail: { kind: 'two-factor-off' }, says: [`${publicUrl}/settings/security`] },
  'passkey-added': {
    mail: { kind: 'passkey-added', name: 'Phone' },
    says: ['Phone', `${publicUrl}/settings/security`],
  },
  'passkey-removed': { mail: { kind: 'passkey-removed', name: 'Phone' }, says: ['Phone'] },
  'identity-unlinked': { mail: { kind: 'identity-unlinked', provider: 'google' }, says: ['Google'] },
  'recovery-codes-renewed': { mail: { kind: 'recovery-codes-renewed' }, says: [`${publicUrl}/settings/security`] },
  'api-key-made': {
    mail: { kind: 'api-key-made', name: 'Shop', renewed: false },
    says: ['Shop', `${publicUrl}/settings/api`],
  },
  'api-key-widened': { mail: { kind: 'api-key-widened', name: 'Shop' }, says: ['Shop', `${publicUrl}/settings/api`] },
  'webhook-made': {
    mail: { kind: 'webhook-made', label: 'Shop', host: 'shop.example', moved: true },
    says: ['Shop', 'shop.example', `${publicUrl}/settings/api`],
  },
  'identity-linked': { mail: { kind: 'identity-linked', provider: 'google' }, says: ['Google'] },
  'rental-expiring': {
    mail: { kind: 'rental-expiring', phone: '+7 705 123 45 67', until: '2026-01-31T23:05:00.000Z' },
    says: ['+7 705 123 45 67', '23:05', '2026', 'UTC', `${publicUrl}/rent`],
  },
  'support-answer': {
    mail: { kind: 'support-answer', ticket: 1001, subject: 'SMS 48213' },
    says: ['SMS 48213', `${publicUrl}/support/1001`],
  },
  notification: {
    mail: { kind: 'notification', title: 'Telegram: +7 705', text: '12:30', link: '/top-up?amount=1' },
    says: ['Telegram: +7 705', '12:30', `${publicUrl}/top-up?amount=1`, `${publicUrl}/settings/notifications`],
  },
  'export-ready': {
    mail: { kind: 'export-ready', until: '2026-01-31T23:05:00.000Z' },
    says: ['23:05', '2026', 'UTC', `${publicUrl}/settings/privacy`],
  },
  'deletion-begun': {
    mail: { kind: 'deletion-begun', until: '2026-01-31T23:05:00.000Z' },
    says: ['14', '23:05', '2026', 'UTC', `${publicUrl}/settings/privacy`],
  },
  'deletion-soon': {
    mail: { kind: 'deletion-soon', until: '2026-01-31T23:05:00.000Z' },
    says: ['23:05', '2026', 'UTC', `${publicUrl}/settings/privacy`],
  },
  'account-deleted': { mail: { kind: 'account-deleted' }, says: [`${publicUrl}/privacy-policy`] },
  alarm: {
    mail: {
      kind: 'alarm',
      alarm: 'link-down',
      about: 'range',
      over: false,
      at: '2026-01-31T23:05:00.000Z',
      ...TOLD_LATER,
    },
    says: ['range', '23:05', '04:15', 'UTC', 'ALARM_MAIL', 'supplier:events', 'the link broke'],
  },
}
const cases = Object.values(MAILS).flatMap((each) => LOCALES.map((locale) => ({ ...each, locale })))

test.each(cases)('$mail.kind in $locale', async ({ mail, says, locale }) => {
  const { subject, text, html } = await renderer.renderMail({ mail, locale, publicUrl })
  const shown = readHtml(html)
  for (const piece of says) {
    expect(text).toContain(piece)
    expect(shown).toContain(piece)
  }
  for (const written of [subject, text, html]) expect(written).not.toMatch(/undefined|null|NaN|\[object/)
  for (const written of mail.kind === 'notification' ? [text, shown] : [subject, text, shown]) {
    expect(written).not.toContain('!')
    // Only Russian mails contain Cyrillic letters. Latin names of things occur in both languages.
    expect(/[а-яё]/i.test(written)).toBe(locale === 'ru')
  }
  expect(html).toMatch(new RegExp(`^<!doctype html><html [^>]*lang="${locale}"`))
  expect(text).toMatch(locale === 'ru' ? /Если (это были не вы|вы )/ : /If (it wasn’t you|you (didn’t|don’t))/)
  for (const line of text.split('\n').filter((one) => /^[А-ЯA-Z].*\.$/i.test(one))) expect(shown).toContain(line)
})

test.each(cases)('$mail.kind in $locale loads nothing and follows nobody', async ({ mail, locale }) => {
  const { html } = await renderer.renderMail({ mail, locale, publicUrl })
  expect(html).not.toMatch(/<(?:script|link|img|iframe|object|embed|form)\b|@import|url\(|\bon\w+=/i)
  for (const [, address = ''] of html.matchAll(/\b(?:href|src)="([^"]*)"/g)) {
    expect(address.startsWith(publicUrl)).toBe(true)
  }
})

test('the subject begins with the code, so that a notification is enough to read it', async () => {
  const subjectOf = async (locale: Locale) => {
    const rendered = await renderer.renderMail({ mail: { kind: 'verify-email', code: '048213' }, locale, publicUrl })
    return rendered.subject
  }
  expect(await subjectOf('ru')).toBe('048213 — код Ringpost')
  expect(await subjectOf('en')).toBe('048213 is your Ringpost code')
})

test('the code stands in one piece, to be copied', async () => {
  const { html } = await renderer.renderMail({
    mail: { kind: 'verify-email', code: '048213' },
    locale: 'en',
    publicUrl,
  })
  expect(html).toMatch(/<p class="code"[^>]*>048213<\/p>/)
})

test('what a stranger wrote stays text', async () => {
  const device = '<img src=x onerror=alert(1)> & "friends"'
  const mail: Mail = { kind: 'new-device', device, address: '::1', at: 'no time' }
  const { html, text } = await renderer.renderMail({ mail, locale: 'en', publicUrl })
  expect(html).not.toContain('<img')
  expect(readHtml(html)).toContain(device)
  expect(text).toContain(`Device: ${device}`)
  // A malformed time is shown unchanged, because the mail must be sent anyway.
  expect(text).toContain('Time: no time')
})

test('it is drawn dark where the program asks for it', async () => {
  const { html } = await renderer.renderMail({ mail: { kind: 'two-factor-on' }, locale: 'ru', publicUrl })
  expect(html).toContain('<meta name="color-scheme" content="light dark"/>')
  expect(html).toContain('@media (prefers-color-scheme: dark) {\n  .paper { background-color: #')
  expect(html).toContain('<td class="paper" style="')
})

function readHtml(html: string): string {
  return html
    .replace(/^<!doctype html>/, '')
    .replaceAll(/<(style|title)>[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&(quot|lt|gt|#x27|amp);/g, (_all, name: string) => {
      return { quot: '"', lt: '<', gt: '>', '#x27': "'", amp: '&' }[name] ?? ''
    })
    .replaceAll(/\s+/g, ' ')
}

test('a letter tells a moment in the zone of its reader, by name, and in UTC without one', async () => {
  const seen = { kind: 'new-device', device: 'Chrome, Windows', address: '::1', at: '2026-03-01T12:00:00Z' } as const
  const textOf = async (timeZone: string | null) =>
    (await renderer.renderMail({ mail: { ...seen, timeZone }, locale: 'en', publicUrl })).text
  expect(await textOf('Asia/Almaty')).toContain('17:00 (Asia/Almaty)')
  expect(await textOf(null)).toContain('12:00 UTC')
})

test('N-18: a device that says nothing of itself is named in the language of the letter', async () => {
  const mail = { kind: 'new-device', device: UNKNOWN_DEVICE, address: '::1', at: '2026-03-01T12:00:00Z' } as const
  for (const [locale, words] of [
    ['ru', 'Устройство: неизвестное'],
    ['en', 'Device: not recognised'],
  ] as const) {
    const { text } = await renderer.renderMail({ mail, locale, publicUrl })
    expect(text).toContain(words)
    expect(text).not.toContain(UNKNOWN_DEVICE)
  }
})
