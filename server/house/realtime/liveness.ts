import type { Connection } from '#server/house/realtime/connection.ts'
import type { Hub } from '#server/house/realtime/hub.ts'
import { CODE, PING_FRAME, type Refusal } from '#server/house/realtime/protocol.ts'

export function keepAlive(hub: Hub): void {
  const nowMs = hub.nowMs()
  hub.sessions.sweep(nowMs)
  for (const connection of hub.connections.values()) {
    connection.dropExpiredGrants(nowMs)
    const refusal = deadRefusal(hub, connection, nowMs) ?? emptyRefusal(hub, connection, nowMs)
    if (refusal !== undefined) hub.end(connection, refusal)
    else pingWhenSilent(hub, connection, nowMs)
  }
}

function deadRefusal(hub: Hub, { pingedAtMs }: Connection, nowMs: number): Refusal | undefined {
  const isDead = pingedAtMs !== undefined && nowMs - pingedAtMs >= hub.options.limits.pongTimeoutMs
  return isDead ? { code: CODE.pongTimeout, message: 'Pong reply not received in time' } : undefined
}

function emptyRefusal(hub: Hub, { emptySinceMs, authorised }: Connection, nowMs: number): Refusal | undefined {
  if (emptySinceMs === undefined) return undefined
  const { authorisationMs, emptyMs } = hub.options.limits
  const emptyForMs = nowMs - emptySinceMs
  if (!authorised && emptyForMs >= authorisationMs) {
    return { code: CODE.unauthorised, message: 'Connection not authorised in time' }
  }
  if (authorised && emptyForMs >= emptyMs) return { code: CODE.inactive, message: 'Closed after inactivity' }
  return undefined
}

function pingWhenSilent(hub: Hub, connection: Connection, nowMs: number): void {
  if (connection.pingedAtMs !== undefined) return
  if (nowMs - connection.lastSeenMs < hub.options.limits.activityTimeoutMs) return
  connection.pingedAtMs = nowMs
  hub.send(connection, PING_FRAME)
}
