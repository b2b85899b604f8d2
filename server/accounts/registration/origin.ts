import type { Wire } from '#server/http/call.ts'

/** Who brought a newcomer, and by what campaign: remembered with the account, for good. */
export type Origin = { referrerId: number | null; utm: Record<string, string> }

const UTM_NAME_PATTERN = /^utm_[a-z_]{1,30}$/
const UTM_MAX_VALUES = 10
const UTM_MAX_VALUE_LENGTH = 200
const UTM_MAX_TEXT_LENGTH = 2_000
const REFERRER_PATTERN = /^[1-9]\d{0,9}$/
/** The largest id the column holds. */
const MAX_USER_ID = 2_147_483_647

/** The headers Referral-id and Utm-Data (product.md section 7). What is malformed counts as absent: nobody typed it. */
export function readOrigin(wire: Wire | undefined): Origin {
  if (wire === undefined) return { referrerId: null, utm: {} }
  const { headers } = wire.request
  return { referrerId: readReferrerId(headers['referral-id']), utm: readUtm(headers['utm-data']) }
}

/** A user's id as a link carries it; null when it is none. Whether there is such a user, the database knows. */
export function readReferrerId(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !REFERRER_PATTERN.test(text)) return null
  const id = Number(text)
  return id <= MAX_USER_ID ? id : null
}

/** The `utm_*` values of a JSON object, at most 10 of at most 200 characters; none when the text is no such object. */
export function readUtm(text: unknown): Record<string, string> {
  if (typeof text !== 'string' || text.length > UTM_MAX_TEXT_LENGTH) return {}
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return {}
  }
  if (typeof parsed !== 'object' || parsed === null) return {}
  const values = Object.entries(parsed).filter((entry): entry is [string, string] => isUtm(...entry))
  return Object.fromEntries(values.slice(0, UTM_MAX_VALUES))
}

function isUtm(name: string, value: unknown): boolean {
  if (!UTM_NAME_PATTERN.test(name) || typeof value !== 'string') return false
  // PostgreSQL keeps no NUL, and a JSON text may spell one.
  return value !== '' && value.length <= UTM_MAX_VALUE_LENGTH && value.isWellFormed() && !value.includes('\0')
}
