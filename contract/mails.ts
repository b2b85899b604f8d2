import type { Locale } from './constants.ts'

/** How long what a mail carries is good for. The mail says so, and is not sent any more when it would come later. */
export const MAIL_CODE_MINUTES = 10
export const RESET_LINK_MINUTES = 60

/** Every mail that is sent, by kind, with what it says. */
export type Mail =
  | { kind: 'verify-email'; code: string }
  /** Somebody registered an address that has an account: its owner is told, the form says nothing. */
  | { kind: 'already-registered' }
  | { kind: 'reset-password'; url: string }
  /** `linked`: the names of profiles that still open the account. */
  | { kind: 'password-changed'; linked?: string[] }
  /** To a new address of an account. */
  | { kind: 'link-email'; code: string }
  /** To the old address. */
  | { kind: 'email-changed'; newEmail: string }
  /** `at` is an ISO time. */
  | { kind: 'new-device'; device: string; address: string; at: string }
  | { kind: 'two-factor-on' }
  | { kind: 'two-factor-off' }
  | { kind: 'identity-linked'; provider: string }
  | { kind: 'identity-unlinked'; provider: string }
  | { kind: 'recovery-codes-renewed' }
  /** `phone` as people write it; `until` is an ISO time. */
  | { kind: 'rental-expiring'; phone: string; until: string }
  /** To whoever runs the service. `about`: the supplier, the first fault of the books, or the most messages in an hour. */
  | { kind: 'alarm'; alarm: AlarmKind; about: string; over: boolean; at: string }

export type AlarmKind = 'link-down' | 'books-wrong' | 'unmatched'

/** `publicUrl` is the origin of the site, without a slash at its end. */
export type MailRequest = { mail: Mail; locale: Locale; publicUrl: string }
export type RenderedMail = { subject: string; text: string; html: string }

/** What the bundle dist/server/entry-mails.js exports. */
export type MailRenderer = { renderMail(request: MailRequest): Promise<RenderedMail> }
