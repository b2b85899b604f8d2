import type { Wire } from '#server/house/http/call.ts'

export type Origin = { referrerId: number | null; utm: Record<string, string> }

const UTM_NAME_PATTERN = /^utm_[a-z_]{1,30}$/
const UTM_MAX_VALUES = 10
const UTM_MAX_VALUE_LENGTH = 200
const UTM_MAX_TEXT_LENGTH = 2_000
const REFERRER_PATTERN = /^[1-9]\d{0,9}$/
const MAX_USER_ID = 2_147_483_647

/** Reads the headers Referral-id and Utm-Data (specification 7). A malformed header counts as absent. */
export function readOrigin(wire: Wire | undefined): Origin {
  if (wire === undefined) return { referrerId: null, utm: {} }
  const { headers } = wire.request
  return { referrerId: readReferrerId(headers['referral-id']), utm: readUtm(headers['utm-data']) }
}

export function readReferrerId(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !REFERRER_PATTERN.test(text)) return null
  const id = Number(text)
  return id <= MAX_USER_ID ? id : null
}

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
  // PostgreSQL text cannot contain NUL, but a JSON text may.
  return value !== '' && value.length <= UTM_MAX_VALUE_LENGTH && value.isWellFormed() && !value.includes('\0')
}
