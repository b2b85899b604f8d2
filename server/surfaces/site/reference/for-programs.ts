import type { Call } from '#server/house/http/call.ts'

/** Calls for everybody that programs have a use for. */
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

/** What the typed client and the page /doc/api offer. Files are for people. */
export function isForPrograms({ key, scope, admit, contentType }: Call): boolean {
  const byKey = scope !== undefined && scope !== 'session'
  return admit === undefined && contentType === undefined && (byKey || FOR_EVERYBODY.has(key))
}
