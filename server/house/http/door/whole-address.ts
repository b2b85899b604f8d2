import type { IncomingMessage } from 'node:http'

/** With a user in it the address is wrong (RFC 9110 4.2.4), and the front door refuses it. */
const WHOLE_ADDRESS = /^https?:\/\/([^/?#@\\]+)([/?].*)?$/i

/** A target may be a whole address, whose host then counts instead of the header's (RFC 9112 3.2.2). */
export function takeWholeAddress(request: IncomingMessage): void {
  const [, host, target = ''] = WHOLE_ADDRESS.exec(request.url ?? '') ?? []
  if (host === undefined) return
  request.url = target.startsWith('/') ? target : `/${target}`
  request.headers.host = host
}
