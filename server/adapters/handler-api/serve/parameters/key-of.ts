import type { IncomingHttpHeaders } from 'node:http'
import type { Parameters } from '#server/adapters/shared/parameters/read-parameters.ts'
import { shownKey } from '#server/house/http/shown-key.ts'

/** Returns the API key of a request, under any name that clients use. The key may be unknown. */
export function keyOf(parameters: Parameters, headers: IncomingHttpHeaders): string | undefined {
  return parameters.api_key ?? parameters.apikey ?? parameters.apiKey ?? shownKey(headers)
}
