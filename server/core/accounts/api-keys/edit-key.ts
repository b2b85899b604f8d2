import type { z } from 'zod'
import type { editKeyInputSchema } from '#contract/api-key.ts'
import { covers, parseRange } from '#contract/formats/cidr.ts'
import { parseDecimal, toDecimal } from '#contract/money.ts'
import { MINUTE } from '#contract/time.ts'
import type { SignedIn } from '#server/core/accounts/sessions/require-session.ts'
import { requireConfirmed } from '#server/core/accounts/ways-in/require-confirmed.ts'
import type { Context } from '#server/house/context.ts'
import { insertAudit } from '#server/house/db/audit-log.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { notFound, tooManyRequests } from '#server/house/errors/errors.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { endRules, forgetLookUps } from './key-memory.ts'
import { tellOwner } from './make-key.ts'
import { changeKey, findKeyRules, type KeyRow, type KeyRules } from './queries.ts'

/** The rate limit bounds the audit log, because each change of a key adds a row that is never deleted. */
const perUser = createRateLimit({ name: 'changes of API keys by a user', burst: 60, refillMs: MINUTE })
const MAX_ROUNDS = 5

type Edit = z.output<typeof editKeyInputSchema>

/**
 * Changes the rules of an API key. Wider rules need a confirmation and are reported to the owner. Narrower rules take
 * effect at once, in open sockets too. Throws NOT_FOUND, CONFIRM_PASSWORD, TOO_MANY_REQUESTS.
 */
export async function editKey(ctx: Context, signedIn: SignedIn, edit: Edit): Promise<KeyRow> {
  const { userId } = signedIn
  await perUser.spend(ctx, String(userId))
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = await findKeyRules(ctx.db, { id: edit.id, userId })
    if (before === null) throw notFound()
    const after = edited(before, edit)
    const wider = isWider(before, after)
    if (wider) await requireConfirmed(ctx, signedIn)
    const row = await store(ctx, { id: edit.id, userId, before, after, wider })
    if (row !== null) return row
  }
  throw tooManyRequests(1)
}

type Stored = { id: number; userId: number; before: KeyRules; after: KeyRules; wider: boolean }

async function store(ctx: Context, { id, userId, before, after, wider }: Stored): Promise<KeyRow | null> {
  const narrower = isWider(after, before)
  const now = ctx.clock.now()
  const changed = await transaction(ctx.db, async (tx) => {
    const row = await changeKey(tx, { id, userId, now, before, after, raise: narrower ? 1 : 0 })
    if (row === null) return null
    const detail = { key: id, before: auditDetail(before), after: auditDetail(after) }
    await insertAudit(tx, {
      at: now,
      actor: `user:${userId}`,
      command: 'key:change',
      subject: `user:${userId}`,
      reason: '',
      detail,
    })
    if (wider) await tellOwner(ctx, tx, { userId, name: row.name, change: 'widened' })
    return row
  })
  if (changed === null) return null
  const hashes = [changed.key_hash, ...(changed.previous_hash === null ? [] : [changed.previous_hash])]
  if (narrower) endRules(ctx, { id, version: changed.rules_version - 1 }, hashes)
  else forgetLookUps(ctx, hashes)
  return changed
}

function edited(before: KeyRules, { name, scopes, addresses, dialect, day_limit: limit }: Edit): KeyRules {
  return {
    name: name ?? before.name,
    scopes: scopes ?? before.scopes,
    addresses: addresses ?? before.addresses,
    dialect: dialect === undefined ? before.dialect : dialect,
    day_limit_micros: limit === undefined ? before.day_limit_micros : limit === null ? null : parseDecimal(limit),
  }
}

function isWider(before: KeyRules, after: KeyRules): boolean {
  return (
    after.scopes.some((scope) => !before.scopes.includes(scope)) ||
    hasMoreAddresses(before.addresses, after.addresses) ||
    (before.day_limit_micros !== null &&
      (after.day_limit_micros === null || after.day_limit_micros > before.day_limit_micros))
  )
}

/** Returns true if the new rules allow an IP address that the old rules refuse. An empty list allows every address. */
function hasMoreAddresses(before: readonly string[], after: readonly string[]): boolean {
  if (before.length === 0) return false
  if (after.length === 0) return true
  const allowed = before.map(parseRange)
  return after.map(parseRange).some((range) => !allowed.some((known) => known && range && covers(known, range)))
}

/**
 * Returns the rules for the audit log. IP addresses, which are personal data, are only counted: the log is never
 * erased.
 */
function auditDetail({ scopes, addresses, dialect, day_limit_micros: limit }: KeyRules) {
  return { scopes, addresses: addresses.length, dialect, day_limit: limit === null ? null : toDecimal(limit) }
}
