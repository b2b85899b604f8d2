import { DAY, SECOND } from '#contract/time.ts'
import type { Config } from '#server/house/config/config.ts'

const HSTS_SECONDS = (365 * DAY) / SECOND

export function transportSecurity({ publicUrl, hstsSubdomains }: Config): Record<string, string> {
  if (publicUrl.protocol !== 'https:') return {}
  return { 'strict-transport-security': `max-age=${HSTS_SECONDS}${hstsSubdomains ? '; includeSubDomains' : ''}` }
}
