import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { tellNodes } from '#server/house/news/tell.ts'
import { revokeSession, revokeSessionsOf } from './queries.ts'
import type { SignedIn } from './require-session.ts'

const ID_PATTERN = /^\d{1,18}$/

/** Ends a session and closes its live sockets with code 4009. Throws NOT_FOUND. */
export async function endSession(ctx: Context, { userId }: SignedIn, id: string): Promise<bigint> {
  const sessionId = ID_PATTERN.test(id) ? BigInt(id) : null
  if (sessionId === null) throw notFound()
  if (!(await revokeSession(ctx.db, { sessionId, userId, now: ctx.clock.now() }))) throw notFound()
  closeSockets(ctx, [sessionId])
  return sessionId
}

export async function endOtherSessions(ctx: Context, { userId, sessionId }: SignedIn): Promise<number> {
  const ended = await revokeSessionsOf(ctx.db, { userId, keep: sessionId, now: ctx.clock.now() })
  closeSockets(ctx, ended)
  return ended.length
}

/**
 * Closes the sockets of revoked sessions at every node. Call it after the transaction that revoked the sessions has
 * committed.
 */
export function closeSockets(ctx: Context, sessionIds: readonly bigint[]): void {
  if (sessionIds.length === 0) return
  const sessions = sessionIds.map(String)
  for (const session of sessions) ctx.realtime.closeSession(session)
  tellNodes(ctx, { kind: 'sessions-ended', sessions })
}
