import type { IncomingMessage } from 'node:http'

/**
 * Matches an absolute URL. A URL with a user name in it is invalid (RFC 9110 4.2.4), so it does not match and the front
 * door refuses it.
 */
const WHOLE_ADDRESS = /^https?:\/\/([^/?#@\\]+)([/?].*)?$/i

/** Handles a request target that is an absolute URL. Its host then replaces the Host header (RFC 9112 3.2.2). */
export function takeWholeAddress(request: IncomingMessage): void {
  const [, host, target = ''] = WHOLE_ADDRESS.exec(request.url ?? '') ?? []
  if (host === undefined) return
  request.url = target.startsWith('/') ? target : `/${target}`
  request.headers.host = host
}
