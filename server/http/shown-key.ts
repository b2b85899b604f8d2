import type { IncomingHttpHeaders } from 'node:http'

/** Header names under which the field's services take a key. */
const KEY_HEADERS = ['x-api-key', 'x-apikey'] as const
const SCHEME_PATTERN = /^(?:Bearer|ApiKey) +(\S{1,200})$/i
/** Another scheme is for somebody before us, as Basic for a proxy, and says nothing about the other headers. */
const OWN_SCHEME = /^(?:Bearer|ApiKey)(?: |$)/i

/**
 * What a request shows in its headers where an API key may stand: `Authorization: ApiKey K` or `Bearer K`, `X-API-Key: K`,
 * `X-ApiKey: K`. The first counts over the others. Whether it is anybody's key, or a session's token, is another question.
 */
export function shownKey(headers: IncomingHttpHeaders): string | undefined {
  const { authorization } = headers
  if (authorization !== undefined && OWN_SCHEME.test(authorization)) return SCHEME_PATTERN.exec(authorization)?.[1]
  const values = KEY_HEADERS.map((name) => headers[name])
  return values.find((value) => typeof value === 'string' && value !== '')?.toString()
}

/** Whether the headers name anybody at all, rightly or not. */
export function namesSomebody(headers: IncomingHttpHeaders): boolean {
  return headers.authorization !== undefined || KEY_HEADERS.some((name) => headers[name] !== undefined)
}
