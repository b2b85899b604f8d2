import { requireConfirmed } from '#server/core/accounts/ways-in/require-confirmed.ts'
import type { Context } from '#server/house/context.ts'
import { forbidden, keyForbidden } from '#server/house/errors/errors.ts'
import type { Member } from '#server/house/http/caller.ts'
import type { EndpointRow } from './queries/endpoints.ts'

/**
 * Checks that the caller may change an endpoint; null means a new one. A stolen session or API key must gain no lasting
 * way to receive codes. A session needs a confirmation. An API key needs the scope `read` and may change only endpoints
 * that it made. Throws CONFIRM_PASSWORD, FORBIDDEN.
 */
export async function confirmWayOut(
  ctx: Context,
  { userId, sessionId, key }: Member,
  endpoint: Pick<EndpointRow, 'api_key_id'> | null,
): Promise<void> {
  if (endpoint !== null) requireMaker(key, endpoint)
  if (key?.scopes.includes('read') === false) throw keyForbidden('read')
  if (sessionId !== null) await requireConfirmed(ctx, { userId, sessionId })
}

/**
 * Throws FORBIDDEN if the caller's API key did not make the endpoint. A stolen key must not silence programs of other
 * keys.
 */
export function requireMaker(key: Member['key'], { api_key_id: makerId }: Pick<EndpointRow, 'api_key_id'>): void {
  if (key !== null && makerId !== key.id) throw forbidden()
}
