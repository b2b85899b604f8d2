import { userChannel } from '#contract/live-events.ts'
import { readCarried, signCarried } from '#server/house/realtime/carried-grant.ts'
import { channelString, isSigned, sign, userString } from '#server/house/realtime/channel-auth.ts'
import type { Connection, Grant, Identity } from '#server/house/realtime/connection.ts'
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

const SOCKET_ID = /^\d{1,16}\.\d{1,16}$/

/** The client that asks to enter a channel. It only claims `socketId`; all other fields come from the session. */
export type Claimant = { socketId: string } & Identity

/**
 * Signs a client's request to enter a channel. The socket stores the permission too, so the signature alone is
 * worthless. Throws AuthorisationRefused.
 */
export function authoriseChannel(hub: Hub, claimant: Claimant & { channel: string }): { auth: string } {
  if (claimant.channel !== userChannel(claimant.userId)) throw new AuthorisationRefused('foreign-channel')
  return { auth: allow(hub, claimant, channelString(claimant.socketId, claimant.channel)) }
}

export function authoriseUser(hub: Hub, claimant: Claimant): { auth: string; user_data: string } {
  // Stock Pusher clients require the id to be a string.
  const userData = JSON.stringify({ id: String(claimant.userId) })
  return { auth: allow(hub, claimant, userString(claimant.socketId, userData)), user_data: userData }
}

/** Takes the permission that the socket was given with this signature; undefined if it is not valid. */
export function takeGrant(
  hub: Hub,
  connection: Connection,
  { signed, auth }: { signed: string; auth: string },
): Grant | undefined {
  const { credentials } = hub.options
  const nowMs = hub.nowMs()
  if (isSigned(credentials, signed, auth)) return connection.takeGrant(signed, nowMs)
  const carried = readCarried(credentials, { signed, auth, nowMs })
  if (carried === null || hub.sessions.hasEnded(carried.sessionId)) return undefined
  try {
    grant(hub, connection, { signed, claimant: carried })
  } catch (error) {
    if (error instanceof AuthorisationRefused) return undefined
    throw error
  }
  return connection.takeGrant(signed, nowMs)
}

function allow(hub: Hub, claimant: Claimant, signed: string): string {
  const { socketId, sessionId } = claimant
  const { credentials, limits } = hub.options
  if (hub.sessions.hasEnded(sessionId)) throw new AuthorisationRefused('session-ended')
  const connection = hub.connections.get(socketId)
  if (connection !== undefined) {
    grant(hub, connection, { signed, claimant })
    return sign(credentials, signed)
  }
  if (!hub.hasPeers || !SOCKET_ID.test(socketId)) throw new AuthorisationRefused('unknown-socket')
  return signCarried(credentials, signed, { ...claimant, expiresAtMs: hub.nowMs() + limits.grantMs })
}

function grant(hub: Hub, connection: Connection, { signed, claimant }: { signed: string; claimant: Identity }): void {
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
