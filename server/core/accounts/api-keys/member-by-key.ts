import { isWithin, parseRange } from '#contract/formats/cidr.ts'
import type { Context } from '#server/house/context.ts'
import type { Member } from '#server/house/http/caller.ts'
import { lookUpCredential, refuseCredential } from '#server/house/http/credentials.ts'
import { API_KEY_PATTERN, hashApiKey } from './api-key.ts'
import { keyCallLogOf } from './call-log.ts'
import { type KnownKey, knownKey, rememberedKey, secretIdOf } from './key-memory.ts'
import { findKeyOwner } from './queries.ts'

export type KeyShown = { key: string; address: string; network: string; call: () => string }

/**
 * Returns the member who uses an API key. Returns null for an unknown key, a blocked owner or an IP address that the
 * key does not allow. A refused IP address counts as a failed try, and only the owner's call log shows the reason.
 * Throws TOO_MANY_REQUESTS.
 */
export async function memberByApiKey(ctx: Context, shown: KeyShown): Promise<Member | null> {
  const { key, address, network } = shown
  if (!API_KEY_PATTERN.test(key)) return null
  const hash = hashApiKey(key)
  const lookUp = () => lookUpCredential(ctx, { kind: 'api-key', hash, network }, () => findKey(ctx, hash))
  const known = await rememberedKey(ctx, { hash, network, lookUp })
  const now = ctx.clock.now()
  if (known === null || isOver(known, now)) return null
  if (isAllowed(known.addresses, address)) return known.member
  const { key: memberKey } = known.member
  if (memberKey !== null) {
    keyCallLogOf(ctx).note(memberKey.id, { call: shown.call(), result: 'ADDRESS_REFUSED', address, now })
  }
  await refuseCredential(ctx, { kind: 'api-key', network })
  return null
}

/** Returns the member of a cached key. If undefined (not cached, or refused), the caller must use memberByApiKey. */
export function rememberedMember(
  ctx: Context,
  { name, address, now }: { name: string; address: string; now: Date },
): Member | undefined {
  const known = knownKey(ctx, name)
  if (known === undefined || isOver(known, now) || !isAllowed(known.addresses, address)) return undefined
  return known.member
}

function isOver({ previousUntil }: KnownKey, now: Date): boolean {
  return previousUntil !== null && previousUntil <= now
}

function isAllowed(addresses: readonly string[], address: string): boolean {
  if (addresses.length === 0) return true
  return addresses.some((text) => {
    const range = parseRange(text)
    return range !== null && isWithin(range, address)
  })
}

async function findKey(ctx: Context, hash: Buffer): Promise<KnownKey | null> {
  const owner = await findKeyOwner(ctx.db, hash, ctx.clock.now())
  if (owner === null || owner.blocked) return null
  const { id, scopes, dialect, capped, sandbox, user_id: ownerId } = owner
  const key = { id, ownerId, sandbox, scopes, dialect, capped, secretId: secretIdOf(hash, owner.rules_version) }
  const member: Member = { userId: owner.acts_for, currency: owner.currency, role: 'user', sessionId: null, key }
  return { member, addresses: owner.addresses, previousUntil: owner.previous_until }
}
