import type { z } from 'zod'
import type { confirmPasswordInputSchema } from '#contract/account.ts'
import { showPasskey } from '#server/core/accounts/passkeys/show-passkey.ts'
import { provePassword } from '#server/core/accounts/passwords/prove-password.ts'
import { showSecondFactor } from '#server/core/accounts/two-factor/set-up.ts'
import { logAccountEvent } from '#server/core/accounts/users/log-account-event.ts'
import { findUser } from '#server/core/accounts/users/queries.ts'
import type { Context } from '#server/house/context.ts'
import { confirmIdentity, unauthenticated } from '#server/house/errors/errors.ts'
import type { Wire } from '#server/house/http/call.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import { confirmSession } from '../sessions/confirmation-queries.ts'
import { requireSession } from '../sessions/require-session.ts'
import { wayToConfirm } from '../ways-in/require-confirmed.ts'

type Shown = Pick<z.output<typeof confirmPasswordInputSchema>, 'password' | 'code' | 'passkey'>

/**
 * Confirms that the account's owner uses the session. Throws WRONG_PASSWORD, WRONG_CODE, PASSKEY_FAILED,
 * TOO_MANY_REQUESTS, and CONFIRM_PASSWORD if only a new sign-in can confirm.
 */
export async function confirmPassword(
  ctx: Context,
  caller: MemberCaller,
  input: Shown,
  wire: Wire | undefined,
): Promise<void> {
  const { userId, sessionId } = requireSession(caller)
  const { address } = caller
  if (input.passkey === undefined) await showKnowledge(ctx, { ...input, userId, address })
  else await showPasskey(ctx, caller, { purpose: 'confirm', assertion: input.passkey, userId }, wire)
  await confirmSession(ctx.db, { sessionId, now: ctx.clock.now() })
  logAccountEvent(ctx, { event: 'identity-confirmed', userId, address })
}

async function showKnowledge(
  ctx: Context,
  { userId, password, code, address }: Shown & { userId: number; address: string },
): Promise<void> {
  const user = await findUser(ctx.db, userId)
  if (user === null) throw unauthenticated()
  const way = await wayToConfirm(ctx, user)
  switch (way) {
    case 'password':
      await provePassword(ctx, user, { password, field: 'password', address })
      break
    case 'two-factor':
      await showSecondFactor(ctx, { userId, code: code ?? '', address })
      break
    case 'sign-in':
      throw confirmIdentity(way)
    default:
      way satisfies never
  }
}
