import { forbidden } from '#server/errors.ts'
import type { Member, MemberCaller } from '#server/http/caller.ts'

export type SignedIn = Member & { sessionId: bigint }

/**
 * For calls about the account itself. An API key is not a session: a program that holds one buys numbers, but never
 * changes how its owner signs in. Throws FORBIDDEN.
 */
export function requireSession(caller: MemberCaller): SignedIn {
  const { sessionId } = caller.member
  if (sessionId === null) throw forbidden()
  return { ...caller.member, sessionId }
}
