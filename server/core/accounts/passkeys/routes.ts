import { passkeys } from '#contract/calls/passkey-calls.ts'
import { doneBySession } from '#server/core/accounts/sessions/done-by-session.ts'
import { requireSession } from '#server/core/accounts/sessions/require-session.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { addPasskey, beginPasskey } from './add-passkey.ts'
import { listOwnPasskeys, nameOwnPasskey, removePasskey } from './keep-passkeys.ts'
import { askPasskey } from './show-passkey.ts'
import { signInByPasskey } from './sign-in-by-passkey.ts'

export const passkeyCalls: Call[] = [
  route(passkeys.list, async (ctx, caller) => {
    return { status: true as const, passkeys: await listOwnPasskeys(ctx, requireSession(caller).userId) }
  }),
  route(passkeys.begin, (ctx, caller, _input, wire) => beginPasskey(ctx, caller, wire)),
  route(passkeys.add, async (ctx, caller, input, wire) => {
    await addPasskey(ctx, caller, input, wire)
    return { status: true }
  }),
  route(passkeys.rename, doneBySession(nameOwnPasskey)),
  route(passkeys.remove, doneBySession(removePasskey)),
  route(passkeys.ask, (ctx, caller, { purpose }, wire) => askPasskey(ctx, caller, purpose, wire)),
  route(passkeys.signIn, (ctx, caller, { credential }, wire) => signInByPasskey(ctx, caller, credential, wire)),
]
