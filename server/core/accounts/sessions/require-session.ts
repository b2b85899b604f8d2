import { forbidden } from '#server/house/errors/errors.ts'
import type { Member, MemberCaller } from '#server/house/http/caller.ts'

export type SignedIn = Member & { sessionId: bigint }

/** Refuses API keys, because a key may buy but never change how its owner signs in. Throws FORBIDDEN. */
export function requireSession(caller: MemberCaller): SignedIn {
  const { sessionId } = caller.member
  if (sessionId === null) throw forbidden()
  return { ...caller.member, sessionId }
}
