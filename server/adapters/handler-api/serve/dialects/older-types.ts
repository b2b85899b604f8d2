import type { IncomingHttpHeaders } from 'node:http'

const GO_PATTERN = /^Go-http-client\//

/**
 * Returns true for a client of SMS-Activate that needs amounts and country ids as text. Such clients are Go programs
 * without an Accept header; clients that want numbers send one (docs/api/handler_api.md).
 */
export function readsOlderTypes(headers: IncomingHttpHeaders): boolean {
  return headers.accept === undefined && GO_PATTERN.test(headers['user-agent'] ?? '')
}
