import type { Locale } from './constants.ts'

/** The number of minutes for which a mailed code is valid. A mail that would arrive later is dropped. */
export const MAIL_CODE_MINUTES = 10
export const RESET_LINK_MINUTES = 60

export type Mail =
  | { kind: 'verify-email'; code: string }
  /**
   * If somebody registers with the e-mail of an account, this mail tells the owner, so that the form reveals nothing.
   */
  | { kind: 'already-registered' }
  | { kind: 'reset-password'; url: string }
  /** The ways in besides the password: `linked` profiles, the number of API `keys`, the Telegram `chat`. */
  | { kind: 'password-changed'; linked?: string[]; keys?: number; chat?: string }
  | { kind: 'link-email'; code: string }
  | { kind: 'email-changed'; newEmail: string }
  | { kind: 'new-device'; device: string; address: string; at: string; timeZone?: string | null }
  | { kind: 'two-factor-on' }
  | { kind: 'two-factor-off' }
  | { kind: 'identity-linked'; provider: string }
  | { kind: 'identity-unlinked'; provider: string }
  | { kind: 'passkey-added'; name: string }
  | { kind: 'passkey-removed'; name: string }
  | { kind: 'recovery-codes-renewed' }
  /** `renewed` is true if an existing API key got a new secret. */
  | { kind: 'api-key-made'; name: string; renewed: boolean }
  | { kind: 'api-key-widened'; name: string }
  /**
   * `moved` is true if an existing webhook has a new URL. The mail shows only the host, because the path may be secret.
   */
  | { kind: 'webhook-made'; label: string; host: string; moved: boolean }
  /** `phone` is formatted, `until` is an ISO time, and `timeZone` comes from the person's settings (UTC if absent). */
  | { kind: 'rental-expiring'; phone: string; until: string; timeZone?: string | null }
  /** `ticket` is the ticket's number. The mail omits support's answer, which can be read only on the site. */
  | { kind: 'support-answer'; ticket: number; subject: string }
  | { kind: 'notification'; title: string; text: string; link: string | null }
  /**
   * This mail announces a finished data export. Only a signed-in session can fetch the file. `until` is an ISO time.
   */
  | { kind: 'export-ready'; until: string }
  /** The ISO time until which the owner can cancel the deletion of the account. */
  | { kind: 'deletion-begun'; until: string }
  | { kind: 'deletion-soon'; until: string }
  | { kind: 'account-deleted' }
  /**
   * `about` depends on the alarm: a supplier, the first accounting fault, or a number of messages, mails or items that
   * wait for staff. `since` is when the alarm began, if not at `at`.
   */
  | { kind: 'alarm'; alarm: AlarmKind; about: string; over: boolean; at: string; since?: string; why?: string | null }

/** `coin-rate` means that received coins wait for an exchange rate; `coin-name`, that Heleket does not name a coin. */
export const GATEWAY_ALARMS = [
  ...(['chain-stopped', 'chain-behind', 'chain-node', 'chain-finding'] as const),
  ...(['coin-rate', 'coin-name'] as const),
] as const
export const SUPPLIER_ALARMS = [
  ...(['link-down', 'set-aside', 'share-low', 'stock-low', 'balance-low', 'rating-low', 'losses', 'no-sms'] as const),
] as const
export type AlarmKind =
  | (typeof SUPPLIER_ALARMS)[number]
  | 'books-wrong'
  | 'price-below-cost'
  | 'money-unowned'
  | 'mail-down'
  | 'unmatched'
  | 'rate-old'
  | 'rate-doubtful'
  | 'referral-withdrawals'
  | 'referral-suspects'
  | (typeof GATEWAY_ALARMS)[number]

export type MailRequest = { mail: Mail; locale: Locale; publicUrl: string }
export type RenderedMail = { subject: string; text: string; html: string }

/** The interface that dist/server/entry-mails.js exports. */
export type MailRenderer = { renderMail(request: MailRequest): Promise<RenderedMail> }
