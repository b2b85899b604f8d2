import type { TokenReply } from '#contract/account.ts'
import type { Assertion } from '#contract/passkeys/passkeys.ts'
import { beginSession } from '#server/core/accounts/sessions/begin-session.ts'
import type { Context } from '#server/house/context.ts'
import type { Wire } from '#server/house/http/call.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { refuseForeign } from '#server/house/http/refuse-foreign.ts'
import { showPasskey } from './show-passkey.ts'

/**
 * Signs in by a passkey, which proves two factors: the device, and its owner by PIN or biometrics. Throws
 * PASSKEY_FAILED, FORBIDDEN.
 */
export async function signInByPasskey(
  ctx: Context,
  caller: Caller,
  assertion: Assertion,
  wire: Wire | undefined,
): Promise<TokenReply> {
  refuseForeign(ctx, wire)
  const owner = await showPasskey(ctx, caller, { purpose: 'sign-in', assertion }, wire)
  return beginSession(ctx, caller, { userId: owner.userId }, wire)
}
