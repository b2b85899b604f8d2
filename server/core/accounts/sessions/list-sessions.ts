import type { SessionEntry } from '#contract/account.ts'
import type { Context } from '#server/house/context.ts'
import { deviceOf } from './device.ts'
import { listLiveSessions } from './queries.ts'
import type { SignedIn } from './require-session.ts'

export async function listSessions(ctx: Context, { userId, sessionId }: SignedIn): Promise<SessionEntry[]> {
  const rows = await listLiveSessions(ctx.db, { userId, first: sessionId, now: ctx.clock.now() })
  return rows.map((row) => ({
    id: row.id.toString(),
    device: deviceOf(row.user_agent),
    address: row.address,
    current: row.id === sessionId,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at.toISOString(),
  }))
}
