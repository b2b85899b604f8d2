import { z } from 'zod'
import { doneSchema } from '#contract/account.ts'
import {
  byKeySchema,
  type KeyCallRecord,
  type KeyRecord,
  keyCallsReplySchema,
  keyInputSchema,
  keysReplySchema,
  madeKeyReplySchema,
  rotateKeyInputSchema,
} from '#contract/api-key.ts'
import { toDecimal } from '#contract/money.ts'
import { doneBySession } from '#server/accounts/sessions/done-by-session.ts'
import { requireSession } from '#server/accounts/sessions/require-session.ts'
import { type Call, defineCall } from '#server/http/call.ts'
import type { KeyCallRow } from './call-log-queries.ts'
import { listKeyCalls } from './list-calls.ts'
import { type MadeKey, makeKey, renewKey } from './make-key.ts'
import { type KeyRow, listKeys } from './queries.ts'
import { revokeOwnKey } from './revoke-key.ts'

export const keyCalls: Call[] = [
  defineCall('GET /api/v1/keys', {
    auth: 'required',
    scope: 'session',
    input: z.object({}),
    reply: keysReplySchema,
    async handle(ctx, caller) {
      const rows = await listKeys(ctx.db, { userId: caller.member.userId, now: ctx.clock.now() })
      return { status: true as const, data: rows.map(toRecord) }
    },
  }),
  defineCall('POST /api/v1/keys', {
    auth: 'required',
    scope: 'session',
    input: keyInputSchema,
    reply: madeKeyReplySchema,
    status: 201,
    handle: async (ctx, caller, input) => toReply(await makeKey(ctx, requireSession(caller), input)),
  }),
  defineCall('POST /api/v1/keys/{id}/rotate', {
    auth: 'required',
    scope: 'session',
    input: rotateKeyInputSchema,
    reply: madeKeyReplySchema,
    handle: async (ctx, caller, input) => toReply(await renewKey(ctx, requireSession(caller), input)),
  }),
  defineCall('DELETE /api/v1/keys/{id}', {
    auth: 'required',
    scope: 'session',
    input: byKeySchema,
    reply: doneSchema,
    handle: doneBySession(revokeOwnKey),
  }),
  defineCall('GET /api/v1/keys/{id}/calls', {
    auth: 'required',
    scope: 'session',
    input: byKeySchema,
    reply: keyCallsReplySchema,
    async handle(ctx, caller, { id }) {
      const rows = await listKeyCalls(ctx, { id, userId: caller.member.userId })
      return { status: true as const, data: rows.map(toCallRecord) }
    },
  }),
]

function toReply({ row, secret }: MadeKey) {
  return { status: true as const, data: toRecord(row), secret }
}

function toRecord(row: KeyRow): KeyRecord {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    addresses: row.addresses,
    day_limit: row.day_limit_micros === null ? null : toDecimal(row.day_limit_micros),
    spent_today: toDecimal(row.spent_micros),
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    previous_until: row.previous_until?.toISOString() ?? null,
  }
}

function toCallRecord({ call, result, count, first_at, last_at, address }: KeyCallRow): KeyCallRecord {
  return { call, result, count, first_at: first_at.toISOString(), last_at: last_at.toISOString(), address }
}
