/** A module without zod, so that pages need not load it. */
export const CODE_LENGTH = 6
export const CODE_PATTERN = new RegExp(`^\\d{${CODE_LENGTH}}$`)
export const RESEND_COOLDOWN_SECONDS = 60
export const CODE_SUBMIT_DELAY_MS = 1_000
export const REFERRAL_COOKIE_SECONDS = 7 * 24 * 60 * 60
export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 200
export const EMAIL_MAX_LENGTH = 254
/** Loose, because only a delivered mail proves an address. It excludes what mail programs read as a name or a list. */
export const EMAIL_PATTERN = /^[^\s@<>()[\],;:"\\\p{C}]+@[^\s@<>()[\],;:"\\\p{C}]+\.[^\s@<>()[\],;:"\\\p{C}]+$/u

/** The device of a browser that says nothing known of itself; each page and letter has its own words for it. */
export const UNKNOWN_DEVICE = 'Unknown'

export const PROVIDERS = ['google', 'vkontakte', 'telegram'] as const
export type Provider = (typeof PROVIDERS)[number]

/** Within this time somebody who deletes their account may change their mind. */
export const DELETION_DAYS = 14
/** How long the file of an export can be fetched. */
export const EXPORT_DAYS = 7
/** The last calls of a key, beside the newest hundred (api-key.ts). */
export const KEY_CALL_KEEP_DAYS = 90
export const NOTIFICATION_KEEP_DAYS = 180
/** Of one person. */
export const MOST_NOTIFICATIONS = 10_000
/** A file that no message to support took. */
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
