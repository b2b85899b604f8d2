/** The numbers and patterns about accounts, each named once. Apart from the schemas, so that a page needs none of zod for them. */
export const CODE_LENGTH = 6
export const CODE_PATTERN = /^\d{6}$/
export const RESEND_COOLDOWN_SECONDS = 60
/** A full code is sent by itself after this long without a change. */
export const CODE_SUBMIT_DELAY_MS = 1_000
/** How long a browser remembers who and what brought it: the cookies `referral_id` and `utm`. */
export const REFERRAL_COOKIE_SECONDS = 7 * 24 * 60 * 60
export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 200
export const EMAIL_MAX_LENGTH = 254
/**
 * Loose on purpose: something, an @, something with a dot. Only a mail that arrives proves an address. Without the signs
 * by which a mail program would read it as a name, a comment or a list of addresses.
 */
export const EMAIL_PATTERN = /^[^\s@<>()[\],;:"\\\p{C}]+@[^\s@<>()[\],;:"\\\p{C}]+\.[^\s@<>()[\],;:"\\\p{C}]+$/u

export const PROVIDERS = ['google', 'vkontakte', 'telegram'] as const
export type Provider = (typeof PROVIDERS)[number]
