import type { IncomingMessage } from 'node:http'

/** Matches an absolute URL without a user name, which RFC 9110 4.2.4 forbids and the front door refuses. */
const WHOLE_ADDRESS = /^https?:\/\/([^/?#@\\]+)([/?].*)?$/i

/** Applies a request target that is an absolute URL. Its host replaces the Host header (RFC 9112 3.2.2). */
export function takeWholeAddress(request: IncomingMessage): void {
  const [, host, target = ''] = WHOLE_ADDRESS.exec(request.url ?? '') ?? []
  if (host === undefined) return
  request.url = target.startsWith('/') ? target : `/${target}`
  request.headers.host = host
}
