import { MINUTE, SECOND } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { transaction } from '#server/db/transaction.ts'
import {
  authFailed,
  blocked,
  emailNotVerified,
  invalidInput,
  tooManyRequests,
  wrongCredentials,
} from '#server/errors.ts'
import { isPendingRegistration } from '#server/features/registration/pending-registration.ts'
import { passSecondFactor } from '#server/features/two-factor/pass-second-factor.ts'
import { findPendingLogin, takePendingLogin } from '#server/features/two-factor/queries.ts'
import { isPassword } from '#server/features/users/password.ts'
import { findUserByEmail, isBlocked } from '#server/features/users/queries.ts'
import type { Wire } from '#server/http/call.ts'
import type { Caller } from '#server/http/caller.ts'
import { createGuessLimit } from '#server/http/guess-limit.ts'
import { networkOf } from '#server/http/network-of.ts'
import { createRateLimit } from '#server/http/rate-limit.ts'
import { aboutUser } from '#server/http/refusals.ts'
import { hashToken } from './tokens.ts'

/** Sign-ins of one address, right or wrong: each costs a password hash. */
const perAddress = createRateLimit({ burst: 60, refillMs: SECOND })
/** Wrong ones of one address, over all accounts. */
const wrongPerAddress = createRateLimit({ burst: 20, refillMs: MINUTE / 20 })
/** Wrong ones for one account from one address: after the fifth 1 s, 2 s, 4 s … Nobody elsewhere is made to wait. */
const wrongPerAccount = createGuessLimit({ free: 5, firstWaitMs: SECOND, maxWaitMs: 15 * MINUTE })

export type Login = {
  email?: string | undefined
  password?: string | undefined
  one_time_password?: string | undefined
  pending_token?: string | undefined
}

/** `passwordHash`: of the password that was right, for `beginSession` to hold against the one stored by then. */
export type SignedIn = { userId: number; passwordHash: string | null }

/**
 * Who signs in by e-mail and password, or by the token of a social sign-in, with a second factor where there is one. An
 * unknown e-mail, a wrong password, a blocked account and one without a password answer the same, after the same work;
 * that somebody has two-factor is told only after the right password. Throws WRONG_CREDENTIALS, EMAIL_NOT_VERIFIED,
 * NEED_2FA_CODE, WRONG_CODE, AUTH_FAILED, BLOCKED, TOO_MANY_REQUESTS.
 */
export async function signIn(ctx: Context, caller: Caller, login: Login, wire: Wire | undefined): Promise<SignedIn> {
  const network = networkOf(caller.address)
  const now = ctx.clock.now()
  refuseWhile(perAddress.take(ctx, network, now))
  refuseWhile(wrongPerAddress.take(ctx, network, now))
  const signedIn = await (login.pending_token === undefined
    ? signInByPassword(ctx, caller, login, wire)
    : signInByToken(ctx, caller, { ...login, pendingToken: login.pending_token }))
  wrongPerAddress.giveBack(ctx, network)
  return signedIn
}

async function signInByPassword(ctx: Context, caller: Caller, login: Login, wire: Wire | undefined): Promise<SignedIn> {
  const email = requireField('email', login.email).toLowerCase()
  const password = requireField('password', login.password)
  const guesser = `${networkOf(caller.address)} ${email}`
  refuseWhile(wrongPerAccount.take(ctx, guesser, ctx.clock.now()))
  const user = await findUserByEmail(ctx.db, email)
  const right = await isPassword(password, user?.password_hash ?? null)
  if (user === null || user.blocked_at !== null || !right) {
    // Asked for addresses with and without an account alike: see there.
    const { address, locale } = caller
    if (!(await isPendingRegistration(ctx, { email, password, address, locale, wire })))
      throw aboutUser(wrongCredentials(), user?.id)
    // Nothing is forgiven: whoever registers somebody's address has a password for it that is right in this sense alone.
    throw emailNotVerified()
  }
  wrongPerAccount.forgive(ctx, guesser)
  const { address } = caller
  await passSecondFactor(ctx, ctx.db, { userId: user.id, code: login.one_time_password, address })
  return { userId: user.id, passwordHash: user.password_hash }
}

/** The token is spent with the right code only: who mistypes need not go to the provider again. */
async function signInByToken(
  ctx: Context,
  { address }: Caller,
  { pendingToken, one_time_password: code }: Login & { pendingToken: string },
): Promise<SignedIn> {
  const token = { hash: hashToken(pendingToken), now: ctx.clock.now() }
  const userId = await findPendingLogin(ctx.db, token)
  if (userId === null) throw authFailed()
  if (await isBlocked(ctx.db, userId)) throw blocked()
  await transaction(ctx.db, async (tx) => {
    if (!(await takePendingLogin(tx, token))) throw authFailed()
    await passSecondFactor(ctx, tx, { userId, code, pendingToken, address })
  })
  return { userId, passwordHash: null }
}

function refuseWhile(waitMs: number): void {
  if (waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / SECOND))
}

function requireField(name: string, value: string | undefined): string {
  if (value === undefined) throw invalidInput({ [name]: [{ ru: 'Заполните это поле', en: 'This field is required' }] })
  return value
}
