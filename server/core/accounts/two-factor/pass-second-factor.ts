import { hasUsedAddress } from '#server/core/accounts/sessions/queries.ts'
import { findTwoFactor, hasPasskey } from '#server/core/accounts/ways-in/queries.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { need2faCode } from '#server/house/errors/errors.ts'
import { aboutUser } from '#server/house/http/door/refusals.ts'
import { acceptCode } from './accept-code.ts'
import { tryCode } from './code-tries.ts'
import { wrongCodeIn } from './wrong-code.ts'

/** Checks the second factor, by code or passkey, if it is on. Throws NEED_2FA_CODE, WRONG_CODE, TOO_MANY_REQUESTS. */
export async function passSecondFactor(
  ctx: Context,
  db: Db,
  input: { userId: number; code: string | undefined; passkeyShown: boolean; pendingToken?: string; address: string },
): Promise<void> {
  const row = await findTwoFactor(db, input.userId)
  if (row === null || row.confirmed_at === null || input.passkeyShown) return
  const { code, address } = input
  if (code === undefined) {
    throw need2faCode({ pendingToken: input.pendingToken, passkey: await hasPasskey(db, input.userId) })
  }
  // Wrong codes count per account, because a guesser with many IP addresses could try a million codes. An IP address
  // used by the owner before has its own counter, so that strangers cannot lock the owner out.
  const isHome = await hasUsedAddress(db, input)
  const guesser = isHome ? `${input.userId} at ${input.address}` : `${input.userId}`
  if (!(await tryCode(ctx, guesser, () => acceptCode(ctx, db, row, { code, address })))) {
    throw aboutUser(wrongCodeIn('one_time_password'), input.userId)
  }
}
