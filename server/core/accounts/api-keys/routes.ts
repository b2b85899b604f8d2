import type { KeyCallRecord, KeyRecord } from '#contract/api-key.ts'
import { keys } from '#contract/calls/key-calls.ts'
import { toDecimal } from '#contract/money.ts'
import { DAY } from '#contract/time.ts'
import { doneBySession } from '#server/core/accounts/sessions/done-by-session.ts'
import { requireSession } from '#server/core/accounts/sessions/require-session.ts'
import type { Context } from '#server/house/context.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { keyCallLogOf, latestOf } from './call-log.ts'
import type { KeyCallRow } from './call-log-queries.ts'
import { editKey } from './edit-key.ts'
import { listKeyCalls } from './list-calls.ts'
import { type MadeKey, makeKey, renewKey } from './make-key.ts'
import { type KeyRow, listKeys } from './queries.ts'
import { revokeOwnKey } from './revoke-key.ts'

export const keyCalls: Call[] = [
  route(keys.list, async (ctx, caller) => {
    const rows = await listKeys(ctx.db, { userId: caller.member.userId, now: ctx.clock.now() })
    return { status: true as const, data: rows.map((row) => toRecord(ctx, row)) }
  }),
  route(keys.make, async (ctx, caller, input) => toReply(ctx, await makeKey(ctx, requireSession(caller), input))),
  route(keys.change, async (ctx, caller, input) => {
    const row = await editKey(ctx, requireSession(caller), input)
    return { status: true as const, data: toRecord(ctx, row) }
  }),
  route(keys.rotate, async (ctx, caller, input) => toReply(ctx, await renewKey(ctx, requireSession(caller), input))),
  route(keys.revoke, doneBySession(revokeOwnKey)),
  route(keys.calls, async (ctx, caller, { id }) => {
    const rows = await listKeyCalls(ctx, { id, userId: caller.member.userId })
    return { status: true as const, data: rows.map(toCallRecord) }
  }),
]

function toReply(ctx: Context, { row, secret }: MadeKey) {
  return { status: true as const, data: toRecord(ctx, row), secret }
}

/** Returns a key as shown. Its last use includes buffered calls, so as not to be older than its spending. */
function toRecord(ctx: Context, row: KeyRow): KeyRecord {
  const now = ctx.clock.now()
  const { day_limit_micros: limit, spent_micros: spent } = row
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    addresses: row.addresses,
    dialect: row.dialect,
    sandbox: row.sandbox,
    day_limit: limit === null ? null : toDecimal(limit),
    spent_today: toDecimal(spent),
    left_today: limit === null ? null : toDecimal(limit > spent ? limit - spent : 0n),
    day_ends_at: new Date(now.getTime() - (now.getTime() % DAY) + DAY).toISOString(),
    created_at: row.created_at.toISOString(),
    last_used_at: latestOf([row.last_used_at, keyCallLogOf(ctx).lastUseOf(row.id)])?.toISOString() ?? null,
    previous_until: row.previous_until?.toISOString() ?? null,
  }
}

function toCallRecord({ call, result, count, first_at, last_at, address }: KeyCallRow): KeyCallRecord {
  return { call, result, count, first_at: first_at.toISOString(), last_at: last_at.toISOString(), address }
}
