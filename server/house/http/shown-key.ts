import type { IncomingHttpHeaders } from 'node:http'

const KEY_HEADERS = ['x-api-key', 'x-apikey'] as const
const SCHEME_PATTERN = /^(?:Bearer|ApiKey) +(\S{1,200})$/i
/** Matches our authorisation schemes. A foreign scheme, such as a proxy's Basic, does not hide a key elsewhere. */
const OWN_SCHEME = /^(?:Bearer|ApiKey)(?: |$)/i

/** Returns the unchecked API key of the headers: `Authorization: ApiKey K` or `Bearer K`, `X-API-Key`, `X-ApiKey`. */
export function shownKey(headers: IncomingHttpHeaders): string | undefined {
  const { authorization } = headers
  if (authorization !== undefined && OWN_SCHEME.test(authorization)) return SCHEME_PATTERN.exec(authorization)?.[1]
  const values = KEY_HEADERS.map((name) => headers[name])
  return values.find((value) => typeof value === 'string' && value !== '')?.toString()
}

export function namesSomebody(headers: IncomingHttpHeaders): boolean {
  return headers.authorization !== undefined || KEY_HEADERS.some((name) => headers[name] !== undefined)
}
