/** This module imports no zod, so that pages need not load zod. */
export const CODE_LENGTH = 6
export const CODE_PATTERN = new RegExp(`^\\d{${CODE_LENGTH}}$`)
export const RESEND_COOLDOWN_SECONDS = 60
export const CODE_SUBMIT_DELAY_MS = 1_000
export const REFERRAL_COOKIE_SECONDS = 7 * 24 * 60 * 60
export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 200
export const EMAIL_MAX_LENGTH = 254
/** Excludes only what mail programs read as a name or a list, because delivery alone proves an address. */
export const EMAIL_PATTERN = /^[^\s@<>()[\],;:"\\\p{C}]+@[^\s@<>()[\],;:"\\\p{C}]+\.[^\s@<>()[\],;:"\\\p{C}]+$/u

/** The device name of a browser that sends no known user agent. Each page and mail translates it. */
export const UNKNOWN_DEVICE = 'Unknown'

export const PROVIDERS = ['google', 'vkontakte', 'telegram'] as const
export type Provider = (typeof PROVIDERS)[number]

/** Within this many days the owner of a deleted account may still change their mind. */
export const DELETION_DAYS = 14
/** The file of a data export can be downloaded for this many days. */
export const EXPORT_DAYS = 7
/** The recorded calls of an API key are kept this many days; the page shows the newest hundred (api-key.ts). */
export const KEY_CALL_KEEP_DAYS = 90
export const NOTIFICATION_KEEP_DAYS = 180
/** A person keeps at most this many notifications. */
export const MOST_NOTIFICATIONS = 10_000
/** An uploaded file that no support message uses is kept this long. */
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
