import { z } from 'zod'
import { doneSchema, tokenReplySchema } from '#contract/account.ts'
import {
  addPasskeyInputSchema,
  askPasskeyInputSchema,
  askPasskeyReplySchema,
  newPasskeyReplySchema,
  passkeySignInInputSchema,
  passkeysReplySchema,
  renamePasskeyInputSchema,
} from '#contract/passkeys/passkeys.ts'
import { doneBySession } from '#server/core/accounts/sessions/done-by-session.ts'
import { requireSession } from '#server/core/accounts/sessions/require-session.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'
import { addPasskey, beginPasskey } from './add-passkey.ts'
import { listOwnPasskeys, nameOwnPasskey, removePasskey } from './keep-passkeys.ts'
import { askPasskey } from './show-passkey.ts'
import { signInByPasskey } from './sign-in-by-passkey.ts'

export const passkeyCalls: Call[] = [
  defineCall('GET /api/v1/user/passkeys', {
    auth: 'required',
    scope: 'session',
    input: z.object({}),
    reply: passkeysReplySchema,
    async handle(ctx, caller) {
      return { status: true as const, passkeys: await listOwnPasskeys(ctx, requireSession(caller).userId) }
    },
  }),
  defineCall('POST /api/v1/user/passkeys/begin', {
    auth: 'required',
    scope: 'session',
    input: z.object({}),
    reply: newPasskeyReplySchema,
    handle: (ctx, caller, _input, wire) => beginPasskey(ctx, caller, wire),
  }),
  defineCall('POST /api/v1/user/passkeys', {
    auth: 'required',
    scope: 'session',
    input: addPasskeyInputSchema,
    reply: doneSchema,
    async handle(ctx, caller, input, wire) {
      await addPasskey(ctx, caller, input, wire)
      return { status: true }
    },
  }),
  defineCall('PATCH /api/v1/user/passkeys/{id}', {
    auth: 'required',
    scope: 'session',
    input: renamePasskeyInputSchema,
    reply: doneSchema,
    handle: doneBySession(nameOwnPasskey),
  }),
  defineCall('DELETE /api/v1/user/passkeys/{id}', {
    auth: 'required',
    scope: 'session',
    input: z.object({ id: z.string() }),
    reply: doneSchema,
    handle: doneBySession(removePasskey),
  }),
  defineCall('POST /api/v1/passkeys/begin', {
    auth: 'none',
    input: askPasskeyInputSchema,
    reply: askPasskeyReplySchema,
    handle: (ctx, caller, { purpose }, wire) => askPasskey(ctx, caller, purpose, wire),
  }),
  defineCall('POST /api/v1/passkeys/sign-in', {
    auth: 'none',
    input: passkeySignInInputSchema,
    reply: tokenReplySchema,
    handle: (ctx, caller, { credential }, wire) => signInByPasskey(ctx, caller, credential, wire),
  }),
]
