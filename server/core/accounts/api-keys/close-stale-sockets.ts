import type { Context } from '#server/house/context.ts'
import { keyIdOf, secretSessionOf, socketSessionsOf } from './key-memory.ts'
import { listLiveSecrets } from './queries.ts'

/**
 * Closes sockets of revoked or changed keys that stayed open because PostgreSQL's reply to the commit was lost.
 * Otherwise the call that changes a key closes its sockets.
 */
export async function closeStaleSockets(ctx: Context): Promise<void> {
  const open = ctx.realtime.openSessions().flatMap((session) => {
    const keyId = keyIdOf(session)
    return keyId === null ? [] : [{ session, keyId }]
  })
  if (open.length === 0) return
  const keyIds = [...new Set(open.map(({ keyId }) => keyId))]
  const live = new Set((await listLiveSecrets(ctx.db, { keyIds, now: ctx.clock.now() })).flatMap(socketSessionsOf))
  const secrets = new Set([...live].map(secretSessionOf))
  for (const { session } of open) {
    if (live.has(session)) continue
    if (secrets.has(secretSessionOf(session))) ctx.realtime.renewSession(session)
    else ctx.realtime.closeSession(session)
  }
}
