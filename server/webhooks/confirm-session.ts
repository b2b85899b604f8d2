import { requireConfirmed } from '#server/accounts/sessions/require-confirmed.ts'
import type { Context } from '#server/context.ts'
import { forbidden } from '#server/errors.ts'
import type { Member } from '#server/http/caller.ts'

/**
 * An open session must not become a lasting way out for codes. A key was confirmed when it was made; one that may not read
 * codes must not have them sent. Throws CONFIRM_PASSWORD, FORBIDDEN.
 */
export async function confirmSession(ctx: Context, { userId, sessionId, key }: Member): Promise<void> {
  if (key !== null && !key.scopes.includes('read')) throw forbidden()
  if (sessionId !== null) await requireConfirmed(ctx, { userId, sessionId })
}
