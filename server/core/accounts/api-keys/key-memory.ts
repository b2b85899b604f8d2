import { type BoundedCache, boundedCache } from '#server/house/bounded-cache.ts'
import type { Context } from '#server/house/context.ts'
import type { Member } from '#server/house/http/caller.ts'
import { perContext } from '#server/house/memory.ts'
import { findSecrets, type Secrets } from './queries.ts'

/** What a look-up found. `addresses`: CIDR, none for anywhere. */
export type KnownKey = { member: Member; addresses: readonly string[]; previousUntil: Date | null }

/** A change by another process is seen this late; purchases ask the database itself. */
const KEY_MEMORY_MS = 1_000
const KEYS_REMEMBERED = 10_000

/** `underWay`: look-ups, by the key and who asks for it. */
type Memory = {
  keys: BoundedCache<string, { known: KnownKey | null }>
  underWay: Map<string, Promise<KnownKey | null>>
  forgotten: number
}
/** A key is forgotten for both worlds. */
const memoryOf = perContext(
  'API keys looked up',
  { scope: 'process', lost: 'nothing: they are read from the tables' },
  (): Memory => ({ keys: boundedCache(KEYS_REMEMBERED, KEY_MEMORY_MS), underWay: new Map(), forgotten: 0 }),
)

type LookUp = { hash: Buffer; network: string; lookUp: () => Promise<KnownKey | null> }

/**
 * Requests of a network that come during a look-up share it: programs ask on many connections at once. Networks do not, because one may be
 * refused. A look-up that was under way while something was forgotten is not kept: it may have read what was before.
 */
export async function rememberedKey(ctx: Context, { hash, network, lookUp }: LookUp): Promise<KnownKey | null> {
  const memory = memoryOf(ctx)
  const name = secretName(hash)
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

/** What was looked up a moment ago; undefined: ask rememberedKey. */
export function knownKey(ctx: Context, name: string): KnownKey | undefined {
  return memoryOf(ctx).keys.get(name)?.known ?? undefined
}

/** What the memory calls the hash of a key. One byte a letter costs less than any other writing. */
export function secretName(hash: Buffer): string {
  return hash.toString('latin1')
}

/** Something of these has changed. Call it after the commit. */
export function forgetLookUps(ctx: Context, hashes: readonly Buffer[]): void {
  const memory = memoryOf(ctx)
  memory.forgotten += 1
  // Whoever asks from now on reads anew.
  memory.underWay.clear()
  for (const hash of hashes) memory.keys.delete(secretName(hash))
}

/** As above, where the caller knows the key alone. */
export async function forgetKey(ctx: Context, keyId: number): Promise<void> {
  const secrets = await findSecrets(ctx.db, keyId)
  if (secrets !== null) forgetLookUps(ctx, hashesOf(secrets))
}

function hashesOf({ key_hash, previous_hash }: Secrets): Buffer[] {
  return previous_hash === null ? [key_hash] : [key_hash, previous_hash]
}

/** `version`: of its rules. */
type KeyVersion = { id: number; version: number }

/** These open nothing any more: the door forgets them at once, and their sockets are closed. */
export function dropSecrets(ctx: Context, { id, version }: KeyVersion, hashes: readonly Buffer[]): void {
  forgetLookUps(ctx, hashes)
  for (const hash of hashes) ctx.realtime.closeSession(socketSessionOf(id, secretIdOf(hash, version)))
}

/** The rules of that version hold no more: sockets that were let in by them are closed, and may come again by the new ones. */
export function endRules(ctx: Context, { id, version }: KeyVersion, hashes: readonly Buffer[]): void {
  forgetLookUps(ctx, hashes)
  for (const hash of hashes) ctx.realtime.renewSession(socketSessionOf(id, secretIdOf(hash, version)))
}

export function dropKey(ctx: Context, secrets: Secrets): void {
  dropSecrets(ctx, { id: secrets.id, version: secrets.rules_version }, hashesOf(secrets))
}

/** Enough of a hash to tell secrets apart, and too little to find one; with the version of the rules that let it in. */
export function secretIdOf(hash: Buffer, version: number): string {
  return `${hash.toString('hex', 0, 8)}-${version}`
}

/** What the hub takes for the session of a key's sockets. */
export function socketSessionOf(keyId: number, secretId: string): string {
  return `key-${keyId}-${secretId}`
}

/** One for each secret. */
export function socketSessionsOf(secrets: Secrets): string[] {
  const { id, rules_version: version } = secrets
  return hashesOf(secrets).map((hash) => socketSessionOf(id, secretIdOf(hash, version)))
}

/** Null: no key's. */
export function keyIdOf(socketSession: string): number | null {
  const id = /^key-(\d+)-/.exec(socketSession)?.[1]
  return id === undefined ? null : Number(id)
}

/** The same under any rules. */
export function secretSessionOf(socketSession: string): string {
  return socketSession.replace(/-\d+$/, '')
}
