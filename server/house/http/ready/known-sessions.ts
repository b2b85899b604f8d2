import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { SECOND } from '#contract/time.ts'
import { boundedCache } from '#server/house/bounded-cache.ts'
import type { Member } from '#server/house/http/caller.ts'

/** The time for which a session stays cached after it ended outside the member's calls, such as by a mailed link. */
const KNOWN_MS = 5 * SECOND
const REMEMBERED = 10_000
const BEARER = 'Bearer '

export type KnownSession = {
  userId: number
  /** The version of all data that the member's replies depend on. A new number means that the data may have changed. */
  state: number
}

/** A cache of sessions that made a call a moment ago. Only cached replies use it, never a call that makes a change. */
export type KnownSessions = {
  find(request: IncomingMessage, now: Date): KnownSession | undefined
  /** The number of sessions dropped so far. `note` ignores a look-up begun before its session was dropped. */
  readonly forgotten: number
  note(request: IncomingMessage, found: { member: Member; forgotten: number; now: Date }): KnownSession | undefined
  /** Drops the session, because a call changed something of the member. */
  forget(request: IncomingMessage, member: Member | null): void
}

export function knowSessions(): KnownSessions {
  const sessions = boundedCache<string, KnownSession>(REMEMBERED)
  const states = boundedCache<number, { state: number; until: number }>(REMEMBERED)
  const forgottenAt = boundedCache<number, number>(REMEMBERED)
  let unnamed = 0
  let forgotten = 0
  let latest = 0
  const stateOf = (userId: number, now: Date) => {
    const known = states.get(userId)
    return known !== undefined && known.until > now.getTime() ? known.state : undefined
  }
  return {
    get forgotten() {
      return forgotten
    },
    find(request, now) {
      const name = nameOf(request)
      const session = name === null ? undefined : sessions.get(name)
      return session !== undefined && session.state === stateOf(session.userId, now) ? session : undefined
    },
    note(request, { member: { userId, sessionId }, now, ...found }) {
      const name = nameOf(request)
      if (name === null || sessionId === null) return undefined
      if (Math.max(unnamed, forgottenAt.get(userId) ?? 0) > found.forgotten) return undefined
      const known = stateOf(userId, now)
      if (known === undefined) latest += 1
      const state = known ?? latest
      if (known === undefined) states.set(userId, { state, until: now.getTime() + KNOWN_MS })
      const session = { userId, state }
      sessions.set(name, session)
      return session
    },
    forget(request, member) {
      forgotten += 1
      const name = nameOf(request)
      if (name !== null) sessions.delete(name)
      if (member !== null) {
        states.delete(member.userId)
        forgottenAt.set(member.userId, forgotten)
      } else if (name !== null) unnamed = forgotten
    },
  }
}

/** Returns the key of a session in the cache: a hash, because the cache contains no tokens. */
function nameOf({ headers: { authorization = '' } }: IncomingMessage): string | null {
  return authorization.startsWith(BEARER) ? hash('sha256', authorization, 'base64') : null
}
