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
import { type DeclaredCalls, nothing, SESSION, STRANGER } from './call.ts'

export const passkeys = {
  list: { key: 'GET /api/v1/user/passkeys', who: SESSION, input: nothing, reply: passkeysReplySchema },
  begin: { key: 'POST /api/v1/user/passkeys/begin', who: SESSION, input: nothing, reply: newPasskeyReplySchema },
  add: { key: 'POST /api/v1/user/passkeys', who: SESSION, input: addPasskeyInputSchema, reply: doneSchema },
  rename: { key: 'PATCH /api/v1/user/passkeys/{id}', who: SESSION, input: renamePasskeyInputSchema, reply: doneSchema },
  remove: {
    key: 'DELETE /api/v1/user/passkeys/{id}',
    who: SESSION,
    input: z.object({ id: z.string() }),
    reply: doneSchema,
  },
  ask: {
    key: 'POST /api/v1/passkeys/begin',
    who: STRANGER,
    input: askPasskeyInputSchema,
    reply: askPasskeyReplySchema,
  },
  signIn: {
    key: 'POST /api/v1/passkeys/sign-in',
    who: STRANGER,
    input: passkeySignInInputSchema,
    reply: tokenReplySchema,
  },
} as const satisfies DeclaredCalls
