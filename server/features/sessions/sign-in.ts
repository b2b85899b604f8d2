import { MINUTE } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { tooManyRequests, wrongCredentials } from '#server/errors.ts'
import { isPassword } from '#server/features/users/password.ts'
import { findUserByEmail } from '#server/features/users/queries.ts'
import { createRateLimit } from '#server/http/rate-limit.ts'
import { insertSession } from './queries.ts'
import { firstTokens, type Tokens, toStored } from './tokens.ts'

const MAX_USER_AGENT_LENGTH = 300

/** Tries per account and address, so that nobody can lock another out; and per address over all accounts. */
const perAccount = createRateLimit({ burst: 5, refillMs: MINUTE / 5 })
const perAddress = createRateLimit({ burst: 20, refillMs: MINUTE / 20 })

/**
 * Signs in by e-mail and password. An unknown e-mail, a wrong password and a blocked account answer the same, in the
 * same time. Throws WRONG_CREDENTIALS, TOO_MANY_REQUESTS.
 */
export async function signIn(
  ctx: Context,
  input: { email: string; password: string; address: string; userAgent: string },
): Promise<{ userId: number; tokens: Tokens }> {
  const now = ctx.clock.now()
  const email = input.email.trim().toLowerCase()
  const waitMs = Math.max(
    perAddress.take(ctx, input.address, now),
    perAccount.take(ctx, `${input.address} ${email}`, now),
  )
  if (waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / 1000))
  const user = await findUserByEmail(ctx.db, email)
  const right = await isPassword(input.password, user?.password_hash ?? null)
  if (user === null || !right || user.blocked_at !== null) throw wrongCredentials()
  const tokens = firstTokens(ctx)
  await insertSession(ctx.db, {
    ...toStored(tokens, now),
    userId: user.id,
    userAgent: input.userAgent.slice(0, MAX_USER_AGENT_LENGTH),
    address: input.address,
    now,
  })
  return { userId: user.id, tokens }
}
