import type { Call } from '#server/house/http/call.ts'

/** The calls that need no API key and are useful to programs. */
const FOR_EVERYBODY: ReadonlySet<string> = new Set([
  'GET /api/services',
  'GET /api/countries',
  'GET /api/price',
  'GET /api/rent-services',
  'GET /api/rent-countries',
  'GET /api/rent-price',
  'GET /api/v1/quality',
  'GET /api/v1/price-list',
])

/** Returns true if the typed client and the page /doc/api offer the call. Calls that return files are for people. */
export function isForPrograms({ key, scope, admit, contentType }: Call): boolean {
  const byKey = scope !== undefined && scope !== 'session'
  return admit === undefined && contentType === undefined && (byKey || FOR_EVERYBODY.has(key))
}
