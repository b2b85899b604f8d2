import { doneSchema } from '#contract/account.ts'
import {
  byKeySchema,
  editKeyInputSchema,
  keyCallsReplySchema,
  keyInputSchema,
  keyReplySchema,
  keysReplySchema,
  madeKeyReplySchema,
  rotateKeyInputSchema,
} from '#contract/api-key.ts'
import { sandboxReplySchema } from '#contract/formats/play-money.ts'
import { BUYER, type DeclaredCalls, nothing, READER, SESSION } from './call.ts'

export const keys = {
  list: { key: 'GET /api/v1/keys', who: SESSION, input: nothing, reply: keysReplySchema },
  make: { key: 'POST /api/v1/keys', who: SESSION, input: keyInputSchema, reply: madeKeyReplySchema, status: 201 },
  change: { key: 'PATCH /api/v1/keys/{id}', who: SESSION, input: editKeyInputSchema, reply: keyReplySchema },
  rotate: {
    key: 'POST /api/v1/keys/{id}/rotate',
    who: SESSION,
    input: rotateKeyInputSchema,
    reply: madeKeyReplySchema,
  },
  revoke: { key: 'DELETE /api/v1/keys/{id}', who: SESSION, input: byKeySchema, reply: doneSchema },
  calls: { key: 'GET /api/v1/keys/{id}/calls', who: SESSION, input: byKeySchema, reply: keyCallsReplySchema },
} as const satisfies DeclaredCalls

export const sandbox = {
  account: { key: 'GET /api/v1/sandbox', who: READER, input: nothing, reply: sandboxReplySchema },
  topUp: { key: 'POST /api/v1/sandbox/top-up', who: BUYER, input: nothing, reply: sandboxReplySchema },
} as const satisfies DeclaredCalls
