import { REFERRAL_COOKIE_SECONDS } from '#contract/account-constants.ts'
import { readCookie, setCookie } from '#web/session/cookie.ts'

const REFERRAL_PATTERN = /^\w{1,20}$/
const UTM_NAME_PATTERN = /^utm_[a-z_]{1,30}$/
const UTM_MAX_VALUES = 10
const UTM_MAX_VALUE_LENGTH = 200
/** The maximum length that the server accepts for the campaign text. An escaped text of this length fits a cookie. */
const UTM_MAX_TEXT_LENGTH = 1_300

/** Stores the id of the first referrer. A later referrer does not replace the first one. */
export function rememberReferral(id: string): void {
  if (!REFERRAL_PATTERN.test(id) || readCookie('referral_id') !== null) return
  setCookie('referral_id', id, REFERRAL_COOKIE_SECONDS)
}

export function referralId(): string | null {
  const id = readCookie('referral_id')
  return id !== null && REFERRAL_PATTERN.test(id) ? id : null
}

/** Stores the campaign in a cookie. Returns it in the form that the server expects, or null if the query has none. */
export function rememberCampaign(query: URLSearchParams): string | null {
  const text = campaignText(query)
  if (text !== null) setCookie('utm', text, REFERRAL_COOKIE_SECONDS)
  return text
}

export function originHeaders(): Record<string, string> {
  const referral = referralId()
  const campaign = readCookie('utm')
  return {
    ...(referral !== null && { 'Referral-id': referral }),
    ...(campaign !== null && isHeaderText(campaign) && { 'Utm-Data': campaign }),
  }
}

/** Returns the `utm_*` values of a query as ASCII JSON for a header. Values above the length limit are omitted. */
export function campaignText(query: URLSearchParams): string | null {
  const values: Record<string, string> = {}
  let text: string | null = null
  for (const [name, value] of query) {
    if (!UTM_NAME_PATTERN.test(name) || value === '' || value.length > UTM_MAX_VALUE_LENGTH) continue
    const more = toAscii(JSON.stringify({ ...values, [name]: value.toWellFormed() }))
    if (more.length > UTM_MAX_TEXT_LENGTH) continue
    values[name] = value.toWellFormed()
    text = more
    if (Object.keys(values).length === UTM_MAX_VALUES) break
  }
  return text
}

function toAscii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Returns true for ASCII. Any script may set the campaign cookie, and fetch rejects a header with other characters. */
function isHeaderText(text: string): boolean {
  return /^[\x20-\x7e]+$/.test(text)
}
