import { requireConfirmed } from '#server/accounts/sessions/require-confirmed.ts'
import type { Context } from '#server/context.ts'
import type { Member } from '#server/http/caller.ts'

/** An open session must not become a lasting way out for codes. A key was confirmed when it was made. Throws CONFIRM_PASSWORD. */
export async function confirmSession(ctx: Context, { userId, sessionId }: Member): Promise<void> {
  if (sessionId !== null) await requireConfirmed(ctx, { userId, sessionId })
}
