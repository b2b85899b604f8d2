import type { Context } from '#server/house/context.ts'
import { listStandingSessions } from './queries.ts'

const SESSION_PATTERN = /^\d{1,18}$/

/**
 * Closes sockets of ended sessions that stayed open because PostgreSQL's reply to the commit was lost. Otherwise the
 * call that ends a session closes its sockets. API keys have their own sweep (`api-keys/close-stale-sockets.ts`).
 */
export async function closeEndedSockets(ctx: Context): Promise<void> {
  const open = ctx.realtime
    .openSessions()
    .filter((session) => SESSION_PATTERN.test(session))
    .map(BigInt)
  if (open.length === 0) return
  const standing = new Set(await listStandingSessions(ctx.db, open))
  for (const id of open) if (!standing.has(id)) ctx.realtime.closeSession(id.toString())
}
