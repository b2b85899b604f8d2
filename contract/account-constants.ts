/** This module imports no zod, so that pages need not load zod. */
export const CODE_LENGTH = 6
export const CODE_PATTERN = new RegExp(`^\\d{${CODE_LENGTH}}$`)
export const RESEND_COOLDOWN_SECONDS = 60
export const CODE_SUBMIT_DELAY_MS = 1_000
export const REFERRAL_COOKIE_SECONDS = 7 * 24 * 60 * 60
export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 200
export const EMAIL_MAX_LENGTH = 254
/**
 * Excludes only characters that mark a display name or a list of addresses in mails. Only delivery proves an e-mail
 * address.
 */
export const EMAIL_PATTERN = /^[^\s@<>()[\],;:"\\\p{C}]+@[^\s@<>()[\],;:"\\\p{C}]+\.[^\s@<>()[\],;:"\\\p{C}]+$/u

/** The device name of a browser that sends no known user agent. Each page and mail translates it. */
export const UNKNOWN_DEVICE = 'Unknown'

export const PROVIDERS = ['google', 'vkontakte', 'telegram'] as const
export type Provider = (typeof PROVIDERS)[number]

/** The play money of a guest of the demo, in the currency of the guest's zone. */
export const GUEST_BALANCE = '100.00'
/** The number of days within which the owner of a deleted account can cancel the deletion. */
export const DELETION_DAYS = 14
export const EXPORT_DAYS = 7
export const KEY_CALL_KEEP_DAYS = 90
export const NOTIFICATION_KEEP_DAYS = 180
export const MOST_NOTIFICATIONS = 10_000
/** The number of days for which we keep an uploaded file that no support message uses. */
export const LOOSE_FILE_KEEP_DAYS = 1
export const DELETION_WAITS = [
  'activations',
  'rentals',
  'preorders',
  'payments',
  'disputes',
  'withdrawals',
  'tickets',
  'debt',
  'balance',
] as const
