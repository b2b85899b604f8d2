import { type BoundedCache, boundedCache } from '#server/house/bounded-cache.ts'
import type { Context } from '#server/house/context.ts'
import type { Member } from '#server/house/http/caller.ts'
import { perContext } from '#server/house/memory.ts'
import { tellNodes } from '#server/house/news/tell.ts'
import { findSecrets, type Secrets } from './queries.ts'

/** The result of a look-up of an API key. `addresses` are CIDR ranges; an empty list allows every address. */
export type KnownKey = { member: Member; addresses: readonly string[]; previousUntil: Date | null }

/** The time, in ms, for which a process may miss another process's change of a key. Purchases check the database. */
const KEY_MEMORY_MS = 1_000
const KEYS_REMEMBERED = 10_000

type Memory = {
  keys: BoundedCache<string, { known: KnownKey | null }>
  underWay: Map<string, Promise<KnownKey | null>>
  forgotten: number
}
const memoryOf = perContext(
  'API keys looked up',
  { scope: 'process', nodes: 'told', lost: 'nothing: they are read from the tables' },
  (): Memory => ({ keys: boundedCache(KEYS_REMEMBERED, KEY_MEMORY_MS), underWay: new Map(), forgotten: 0 }),
)

type LookUp = { hash: Buffer; network: string; lookUp: () => Promise<KnownKey | null> }

/**
 * Returns a cached look-up of an API key, or starts one. Only requests of one network share a running look-up, because
 * the rate limit may refuse another network. A look-up during which any key was dropped is not cached, because it may
 * have read the old state.
 */
export async function rememberedKey(ctx: Context, { hash, network, lookUp }: LookUp): Promise<KnownKey | null> {
  const memory = memoryOf(ctx)
  const name = cacheKeyOf(hash)
  const remembered = memory.keys.get(name)
  if (remembered !== undefined) return remembered.known
  const asked = `${name} ${network}`
  const shared = memory.underWay.get(asked)
  if (shared !== undefined) return shared
  const { forgotten } = memory
  const found = lookUp()
  memory.underWay.set(asked, found)
  try {
    const known = await found
    if (memory.forgotten === forgotten) memory.keys.set(name, { known })
    return known
  } finally {
    if (memory.underWay.get(asked) === found) memory.underWay.delete(asked)
  }
}

/** Returns a key that was looked up at most a second ago. If undefined, the caller must use rememberedKey. */
export function knownKey(ctx: Context, name: string): KnownKey | undefined {
  return memoryOf(ctx).keys.get(name)?.known ?? undefined
}

/** Returns the cache key for the hash of an API key. Latin-1 takes one byte a character, less than hex or base64. */
export function cacheKeyOf(hash: Buffer): string {
  return hash.toString('latin1')
}

/** Drops the cached look-ups of API keys. Call it after the transaction that changed the keys has committed. */
export function forgetLookUps(ctx: Context, hashes: readonly Buffer[]): void {
  const memory = memoryOf(ctx)
  memory.forgotten += 1
  memory.underWay.clear()
  for (const hash of hashes) memory.keys.delete(cacheKeyOf(hash))
  tellNodes(ctx, { kind: 'keys-changed' })
}

/** Drops all cached look-ups, because another node changed some key. */
export function forgetAllLookUps(ctx: Context): void {
  const memory = memoryOf(ctx)
  memory.forgotten += 1
  memory.underWay.clear()
  memory.keys.clear()
}

export async function forgetKey(ctx: Context, keyId: number): Promise<void> {
  const secrets = await findSecrets(ctx.db, keyId)
  if (secrets !== null) forgetLookUps(ctx, hashesOf(secrets))
}

function hashesOf({ key_hash, previous_hash }: Secrets): Buffer[] {
  return previous_hash === null ? [key_hash] : [key_hash, previous_hash]
}

type KeyVersion = { id: number; version: number }

export function dropSecrets(ctx: Context, { id, version }: KeyVersion, hashes: readonly Buffer[]): void {
  forgetLookUps(ctx, hashes)
  const sessions = hashes.map((hash) => socketSessionOf(id, secretIdOf(hash, version)))
  for (const session of sessions) ctx.realtime.closeSession(session)
  tellNodes(ctx, { kind: 'sessions-ended', sessions })
}

/** Closes the sockets that an older version of a key's rules admitted. Clients may reconnect under the new rules. */
export function endRules(ctx: Context, { id, version }: KeyVersion, hashes: readonly Buffer[]): void {
  forgetLookUps(ctx, hashes)
  const sessions = hashes.map((hash) => socketSessionOf(id, secretIdOf(hash, version)))
  for (const session of sessions) ctx.realtime.renewSession(session)
  tellNodes(ctx, { kind: 'sessions-renewed', sessions })
}

export function dropKey(ctx: Context, secrets: Secrets): void {
  dropSecrets(ctx, { id: secrets.id, version: secrets.rules_version }, hashesOf(secrets))
}

/** Returns an id for a secret and its rules' version. It holds 8 bytes of the hash, too few to find the key. */
export function secretIdOf(hash: Buffer, version: number): string {
  return `${hash.toString('hex', 0, 8)}-${version}`
}

export function socketSessionOf(keyId: number, secretId: string): string {
  return `key-${keyId}-${secretId}`
}

export function socketSessionsOf(secrets: Secrets): string[] {
  const { id, rules_version: version } = secrets
  return hashesOf(secrets).map((hash) => socketSessionOf(id, secretIdOf(hash, version)))
}

export function keyIdOf(socketSession: string): number | null {
  const id = /^key-(\d+)-/.exec(socketSession)?.[1]
  return id === undefined ? null : Number(id)
}

export function secretSessionOf(socketSession: string): string {
  return socketSession.replace(/-\d+$/, '')
}
