import { MINUTE } from '#contract/time.ts'
import { hashToken } from '#server/accounts/sessions/tokens.ts'
import type { Context } from '#server/context.ts'
import { need2faCode } from '#server/errors.ts'
import { insertPendingLogin, isTwoFactorOn } from './queries.ts'

/** How long a social sign-in waits for its code. */
const PENDING_LIFETIME_MS = 10 * MINUTE
const TOKEN_BYTES = 32

/**
 * For a sign-in that proves somebody without his password. Resolves when he has no second factor; else throws
 * NEED_2FA_CODE with a token, good once, that goes to POST /api/login with the code.
 */
export async function demandSecondFactor(ctx: Context, userId: number): Promise<void> {
  if (!(await isTwoFactorOn(ctx.db, userId))) return
  const token = ctx.random.bytes(TOKEN_BYTES).toString('base64url')
  const expiresAt = new Date(ctx.clock.now().getTime() + PENDING_LIFETIME_MS)
  await insertPendingLogin(ctx.db, { hash: hashToken(token), userId, expiresAt })
  throw need2faCode(token)
}
