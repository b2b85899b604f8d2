import type { IncomingHttpHeaders } from 'node:http'
import { shownKey } from '#server/http/shown-key.ts'
import type { Parameters } from '#server/protocols/parameters/read-parameters.ts'

/** By each name that clients have for it; it may be unknown. */
export function keyOf(parameters: Parameters, headers: IncomingHttpHeaders): string | undefined {
  return parameters.api_key ?? parameters.apikey ?? parameters.apiKey ?? shownKey(headers)
}
