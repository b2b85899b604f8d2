import type { Locale } from './constants.ts'

/** The mail states this lifetime, and is dropped when it would arrive later. */
export const MAIL_CODE_MINUTES = 10
export const RESET_LINK_MINUTES = 60

export type Mail =
  | { kind: 'verify-email'; code: string }
  /** A registration with a known address mails the owner, so that the form need not reveal the account. */
  | { kind: 'already-registered' }
  | { kind: 'reset-password'; url: string }
  /** Ways into the account that remain: `linked` profiles, `passkey`, the number of API `keys`, the `chat`. */
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
  /** `renewed` is true if an existing key got a new secret. */
  | { kind: 'api-key-made'; name: string; renewed: boolean }
  /** The scopes, addresses or day limit of an API key now allow more than before. */
  | { kind: 'api-key-widened'; name: string }
  /** `moved` means that an old webhook has a new address. Only the host is shown: the rest may be secret. */
  | { kind: 'webhook-made'; label: string; host: string; moved: boolean }
  /**
   * `phone` is formatted; `until` is an ISO time. `timeZone` comes from the person's settings; UTC if it is missing.
   */
  | { kind: 'rental-expiring'; phone: string; until: string; timeZone?: string | null }
  /** The number of the ticket. The answer itself is read only on the site. */
  | { kind: 'support-answer'; ticket: number; subject: string }
  /** Any other notification, with its title and text. `link` is a path of the site. */
  | { kind: 'notification'; title: string; text: string; link: string | null }
  /** A data export is ready. Only a signed-in session can fetch the file. `until` is an ISO time. */
  | { kind: 'export-ready'; until: string }
  /** Until this time the owner may still cancel the deletion. */
  | { kind: 'deletion-begun'; until: string }
  | { kind: 'deletion-soon'; until: string }
  | { kind: 'account-deleted' }
  /**
   * `about` depends on the alarm: the supplier, the first fault of the books, or a number. The number counts the most
   * messages in an hour, waiting mails, or items that wait for staff.
   * `since` is the time at which the alarm began, if that is not `at`.
   */
  | { kind: 'alarm'; alarm: AlarmKind; about: string; over: boolean; at: string; since?: string; why?: string | null }

/**
 * `coin-rate` means that received coins wait for an exchange rate, whether our own chains, BTCPay or Heleket watch for
 * them. `coin-name` means that Heleket does not name the coin.
 */
export const GATEWAY_ALARMS = [
  ...(['chain-stopped', 'chain-behind', 'chain-node', 'chain-finding'] as const),
  ...(['coin-rate', 'coin-name'] as const),
] as const
/** Each of these alarms concerns one supplier. */
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

/** The exports of dist/server/entry-mails.js. */
export type MailRenderer = { renderMail(request: MailRequest): Promise<RenderedMail> }
