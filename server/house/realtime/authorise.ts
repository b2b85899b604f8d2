import { userChannel } from '#contract/live-events.ts'
import { channelString, sign, userString } from '#server/house/realtime/channel-auth.ts'
import type { Connection, Identity } from '#server/house/realtime/connection.ts'
import type { Hub } from '#server/house/realtime/hub.ts'

export type AuthorisationRefusal = 'unknown-socket' | 'foreign-channel' | 'session-ended' | 'too-many'

/** The request for a channel was refused. The HTTP route answers this error with 403. */
export class AuthorisationRefused extends Error {
  readonly reason: AuthorisationRefusal

  constructor(reason: AuthorisationRefusal) {
    super(`realtime authorisation refused: ${reason}`)
    this.name = 'AuthorisationRefused'
    this.reason = reason
  }
}

/** The client that asks to enter a channel. It only claims `socketId`; all other fields come from the session. */
export type Claimant = { socketId: string } & Identity

/**
 * Signs a client's request to enter a channel. The socket stores the permission too, so the signature alone is
 * worthless. Throws AuthorisationRefused.
 */
export function authoriseChannel(hub: Hub, claimant: Claimant & { channel: string }): { auth: string } {
  if (claimant.channel !== userChannel(claimant.userId)) throw new AuthorisationRefused('foreign-channel')
  const connection = claimedSocket(hub, claimant)
  const signed = channelString(connection.id, claimant.channel)
  grant(hub, connection, { signed, claimant })
  return { auth: sign(hub.options.credentials, signed) }
}

export function authoriseUser(hub: Hub, claimant: Claimant): { auth: string; user_data: string } {
  const connection = claimedSocket(hub, claimant)
  // Stock Pusher clients require the id to be a string.
  const userData = JSON.stringify({ id: String(claimant.userId) })
  const signed = userString(connection.id, userData)
  grant(hub, connection, { signed, claimant })
  return { auth: sign(hub.options.credentials, signed), user_data: userData }
}

function claimedSocket(hub: Hub, { socketId, sessionId }: Claimant): Connection {
  if (hub.sessions.hasEnded(sessionId)) throw new AuthorisationRefused('session-ended')
  const connection = hub.connections.get(socketId)
  if (connection === undefined) throw new AuthorisationRefused('unknown-socket')
  return connection
}

function grant(hub: Hub, connection: Connection, { signed, claimant }: { signed: string; claimant: Claimant }): void {
  const { limits } = hub.options
  const { sessionId, userId, byKey = false } = claimant
  const nowMs = hub.nowMs()
  connection.dropExpiredGrants(nowMs)
  if (connection.grantCount > limits.maxChannelsPerSocket) throw new AuthorisationRefused('too-many')
  if (!connection.identities.some((identity) => identity.sessionId === sessionId)) {
    if (connection.identities.length >= limits.maxSessionsPerSocket) throw new AuthorisationRefused('too-many')
    const identity = { sessionId, userId, ...(byKey && { byKey }) }
    if (!hub.people.enter(connection, identity, limits.maxSocketsPerPerson)) throw new AuthorisationRefused('too-many')
    connection.identities = [...connection.identities, identity]
    hub.sessions.bind(sessionId, connection)
  }
  connection.addGrant(signed, { sessionId, userId, byKey, expiresAtMs: nowMs + limits.grantMs })
}
