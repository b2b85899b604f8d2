import { MINUTE } from '#contract/time.ts'
import { hashToken } from '#server/core/accounts/sessions/tokens.ts'
import { hasPasskey, isTwoFactorOn } from '#server/core/accounts/ways-in/queries.ts'
import type { Context } from '#server/house/context.ts'
import { need2faCode } from '#server/house/errors/errors.ts'
import { insertPendingLogin } from './queries.ts'

const PENDING_LIFETIME_MS = 10 * MINUTE
const TOKEN_BYTES = 32

/**
 * Throws NEED_2FA_CODE if the account has a second factor; the error carries a single-use token for POST /api/login.
 */
export async function demandSecondFactor(ctx: Context, userId: number): Promise<void> {
  if (!(await isTwoFactorOn(ctx.db, userId))) return
  const token = ctx.random.bytes(TOKEN_BYTES).toString('base64url')
  const expiresAt = new Date(ctx.clock.now().getTime() + PENDING_LIFETIME_MS)
  await insertPendingLogin(ctx.db, { hash: hashToken(token), userId, expiresAt })
  throw need2faCode({ pendingToken: token, passkey: await hasPasskey(ctx.db, userId) })
}
