import { EMAIL_MAX_LENGTH, EMAIL_PATTERN } from '#contract/account.ts'

export type Profile = {
  /** The id of the person at the provider, which never changes. */
  subject: string
  name: string
  /** The e-mail in lower case; null unless the provider says that the e-mail is verified. */
  email: string | null
}

const SUBJECT_PATTERN = /^[\x21-\x7e]{1,255}$/
const NAME_MAX_LENGTH = 100

export function toProfile(raw: {
  subject: unknown
  names: unknown[]
  email: unknown
  emailVerified: unknown
}): Profile {
  const subject = Number.isSafeInteger(raw.subject) ? String(raw.subject) : raw.subject
  if (typeof subject !== 'string' || !SUBJECT_PATTERN.test(subject)) throw new Error('the provider named nobody')
  const email = raw.emailVerified === true ? toEmail(raw.email) : null
  const name = raw.names.map(toName).find((one) => one !== '')
  return { subject, name: name ?? email ?? '', email }
}

function toEmail(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const email = value.trim().toLowerCase()
  const usable = email.length <= EMAIL_MAX_LENGTH && EMAIL_PATTERN.test(email) && !/\p{C}/u.test(email)
  return usable ? email : null
}

/** Returns a name without invisible characters, which could imitate another name or break surrounding text. */
function toName(value: unknown): string {
  if (typeof value !== 'string') return ''
  const seen = value.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ').replaceAll(/\s+/g, ' ')
  return [...seen.trim()].slice(0, NAME_MAX_LENGTH).join('').trim()
}
