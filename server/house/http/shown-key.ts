import type { IncomingHttpHeaders } from 'node:http'

const KEY_HEADERS = ['x-api-key', 'x-apikey'] as const
const SCHEME_PATTERN = /^(?:Bearer|ApiKey) +(\S{1,200})$/i
/**
 * Matches our own authorisation schemes. A foreign scheme, such as Basic for a proxy, does not hide an API key in the
 * other headers.
 */
const OWN_SCHEME = /^(?:Bearer|ApiKey)(?: |$)/i

/**
 * Returns the unchecked API key of a request: `Authorization: ApiKey K` or `Bearer K`, `X-API-Key: K` or `X-ApiKey: K`,
 * in this order.
 */
export function shownKey(headers: IncomingHttpHeaders): string | undefined {
  const { authorization } = headers
  if (authorization !== undefined && OWN_SCHEME.test(authorization)) return SCHEME_PATTERN.exec(authorization)?.[1]
  const values = KEY_HEADERS.map((name) => headers[name])
  return values.find((value) => typeof value === 'string' && value !== '')?.toString()
}

export function namesSomebody(headers: IncomingHttpHeaders): boolean {
  return headers.authorization !== undefined || KEY_HEADERS.some((name) => headers[name] !== undefined)
}
