import type { Locale } from './constants.ts'

/** A mail states its lifetime, and is dropped when it would arrive later. */
export const MAIL_CODE_MINUTES = 10
export const RESET_LINK_MINUTES = 60

export type Mail =
  | { kind: 'verify-email'; code: string }
  /** The owner of a registered address is told, so that the form need not reveal it. */
  | { kind: 'already-registered' }
  | { kind: 'reset-password'; url: string }
  /** `linked` profiles, and `passkey`, still open the account; so many API `keys` still work; `chat` is still linked. */
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
  /** `renewed`: a new secret of a key that there was. */
  | { kind: 'api-key-made'; name: string; renewed: boolean }
  /** Its scopes, addresses or day limit allow more than before. */
  | { kind: 'api-key-widened'; name: string }
  /** `moved`: one that there was has another address. `host` of it: the rest of an address may be a secret. */
  | { kind: 'webhook-made'; label: string; host: string; moved: boolean }
  /** `phone` is formatted; `until` is an ISO time. `timeZone`: that of the person's settings; UTC without one. */
  | { kind: 'rental-expiring'; phone: string; until: string; timeZone?: string | null }
  /** Of `ticket`; the answer itself is read on the site. */
  | { kind: 'support-answer'; ticket: number; subject: string }
  /** Any other notification, in its words. `link` is a path of the site. */
  | { kind: 'notification'; title: string; text: string; link: string | null }
  /** The file with one's data, which a session alone can fetch. `until` is an ISO time. */
  | { kind: 'export-ready'; until: string }
  /** Until then somebody may change their mind. */
  | { kind: 'deletion-begun'; until: string }
  | { kind: 'deletion-soon'; until: string }
  | { kind: 'account-deleted' }
  /** `about`: the supplier, the first fault of the books, the most messages in an hour, how many letters wait, or how many wait for staff. `since`: when it began, if not `at`. */
  | { kind: 'alarm'; alarm: AlarmKind; about: string; over: boolean; at: string; since?: string; why?: string | null }

/** `coin-rate`: coins that have come wait for a rate, whoever watches for them: our chains, BTCPay or Heleket. `coin-name`: Heleket does not name the coin. */
export const GATEWAY_ALARMS = [
  ...(['chain-stopped', 'chain-behind', 'chain-node', 'chain-finding'] as const),
  ...(['coin-rate', 'coin-name'] as const),
] as const
/** Each of one supplier. */
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
