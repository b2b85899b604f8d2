import { requireConfirmed } from '#server/core/accounts/ways-in/require-confirmed.ts'
import type { Context } from '#server/house/context.ts'
import { forbidden, keyForbidden } from '#server/house/errors/errors.ts'
import type { Member } from '#server/house/http/caller.ts'
import type { EndpointRow } from './queries/endpoints.ts'

/**
 * Neither an open session nor a stolen key must become a lasting way out for codes. A key was confirmed when it was made. It
 * must be one that may read codes, and changes what it has made alone, because that ends with it. `endpoint` null: a new one.
 * Throws CONFIRM_PASSWORD, FORBIDDEN.
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

/** Whoever stole one key must not silence the programs of the others. Throws FORBIDDEN. */
export function requireMaker(key: Member['key'], { api_key_id: makerId }: Pick<EndpointRow, 'api_key_id'>): void {
  if (key !== null && makerId !== key.id) throw forbidden()
}
