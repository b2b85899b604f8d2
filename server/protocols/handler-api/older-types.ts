import type { IncomingHttpHeaders } from 'node:http'

const GO_PATTERN = /^Go-http-client\//

/**
 * Whether a program reads SMS-Activate's own types, amounts and country ids as text. Typed clients disagree, and no JSON
 * value is both a text and a number. Those that were written for SMS-Activate are in Go and send Go's bare request, which
 * has no Accept header; all that want numbers say what they accept. docs/api/handler_api.md has the clients.
 */
export function readsOlderTypes(headers: IncomingHttpHeaders): boolean {
  return headers.accept === undefined && GO_PATTERN.test(headers['user-agent'] ?? '')
}
