import type { Assertion } from '#contract/passkeys/passkeys.ts'
import { MINUTE, SECOND } from '#contract/time.ts'
import { showPasskey } from '#server/core/accounts/passkeys/show-passkey.ts'
import { isPendingRegistration } from '#server/core/accounts/registration/pending-registration.ts'
import { passSecondFactor } from '#server/core/accounts/two-factor/pass-second-factor.ts'
import { findPendingLogin, takePendingLogin } from '#server/core/accounts/two-factor/queries.ts'
import { isPassword } from '#server/core/accounts/users/password.ts'
import { findUserByEmail, type UserRow } from '#server/core/accounts/users/queries.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { wordsOf } from '#server/house/errors/error-words.ts'
import { authFailed, emailNotVerified, invalidInput, wrongCredentials } from '#server/house/errors/errors.ts'
import type { Wire } from '#server/house/http/call.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { aboutUser } from '#server/house/http/door/refusals.ts'
import type { Asker } from '#server/house/limits/fair-queue.ts'
import { createGuessLimit } from '#server/house/limits/guess-limit.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { admitToHashing } from '../sessions/admit-to-hashing.ts'
import { hashToken } from '../sessions/tokens.ts'

/** The rate limit counts every sign-in, because each sign-in costs a password hash. */
const perAddress = createRateLimit({ name: 'sign-ins of a network', burst: 60, refillMs: SECOND })
const wrongPerAddress = createRateLimit({ name: 'wrong sign-ins of a network', burst: 20, refillMs: MINUTE / 20 })
/** Delays by 1 s, 2 s, 4 s … after a network's fifth wrong sign-in to an account; other networks are unaffected. */
const wrongPerAccount = createGuessLimit({
  name: 'wrong sign-ins of an account',
  free: 5,
  firstWaitMs: SECOND,
  maxWaitMs: 15 * MINUTE,
})

export type Login = {
  email?: string | undefined
  password?: string | undefined
  one_time_password?: string | undefined
  passkey?: Assertion | undefined
  pending_token?: string | undefined
  captcha?: string | undefined
}

/** `passwordHash` is the hash that the password matched; `beginSession` refuses if it has changed since. */
export type SignedIn = { userId: number; passwordHash: string | null }

/**
 * Signs in by password or token. Unknown e-mail, wrong password and missing password get the same answer after the same
 * work. Only the right password reveals a second factor or a block. A blocked user's session reaches only support.
 * Throws WRONG_CREDENTIALS, EMAIL_NOT_VERIFIED, NEED_2FA_CODE, WRONG_CODE, AUTH_FAILED, PASSKEY_FAILED,
 * TOO_MANY_REQUESTS, CAPTCHA_FAILED.
 */
export async function signIn(ctx: Context, caller: Caller, login: Login, wire: Wire | undefined): Promise<SignedIn> {
  const { network } = caller
  await perAddress.spend(ctx, network)
  const attempt = login.pending_token === undefined ? await beginAttempt(ctx, caller, login, wire) : null
  await wrongPerAddress.spend(ctx, network)
  const signedIn = await (attempt !== null
    ? signInByPassword(ctx, caller, attempt, wire)
    : signInByToken(ctx, caller, { ...login, pendingToken: login.pending_token ?? '' }, wire))
  await wrongPerAddress.giveBack(ctx, network)
  return signedIn
}

type Attempt = {
  email: string
  password: string
  code: string | undefined
  passkey: Assertion | undefined
  user: UserRow | null
  asker: Asker
}

async function beginAttempt(ctx: Context, caller: Caller, login: Login, wire: Wire | undefined): Promise<Attempt> {
  const email = requireField('email', login.email).toLowerCase()
  const password = requireField('password', login.password)
  const user = await findUserByEmail(ctx.db, email)
  const asker = await admitToHashing(ctx, caller, { user, captcha: login.captcha, wire })
  return { email, password, code: login.one_time_password, passkey: login.passkey, user, asker }
}

async function signInByPassword(
  ctx: Context,
  caller: Caller,
  { email, password, code, passkey, user, asker }: Attempt,
  wire: Wire | undefined,
): Promise<SignedIn> {
  const { address, locale, network } = caller
  const guesser = `${network} ${email}`
  await wrongPerAccount.spend(ctx, guesser)
  const right = await isPassword(ctx, asker, password, user?.password_hash ?? null)
  if (user === null || !right) {
    if (!(await isPendingRegistration(ctx, { asker, email, password, address, locale, wire })))
      throw aboutUser(wrongCredentials(), user?.id)
    // The password of a pending registration proves nothing about the account, so the count of wrong tries is kept.
    throw emailNotVerified()
  }
  await wrongPerAccount.forgive(ctx, guesser)
  const passkeyShown = await showsPasskey(ctx, caller, { passkey, userId: user.id }, wire)
  await passSecondFactor(ctx, ctx.db, { userId: user.id, code, passkeyShown, address })
  return { userId: user.id, passwordHash: user.password_hash }
}

/**
 * Signs in by a token from a provider and a second-factor code. Only the right code spends the token, so that a typo
 * needs no new sign-in at the provider.
 */
async function signInByToken(
  ctx: Context,
  caller: Caller,
  { pendingToken, one_time_password: code, passkey }: Login & { pendingToken: string },
  wire: Wire | undefined,
): Promise<SignedIn> {
  const token = { hash: hashToken(pendingToken), now: ctx.clock.now() }
  const userId = await findPendingLogin(ctx.db, token)
  if (userId === null) throw authFailed()
  // The passkey is checked outside the transaction, so that its challenge stays spent even after a rollback.
  const passkeyShown = await showsPasskey(ctx, caller, { passkey, userId }, wire)
  const { address } = caller
  await transaction(ctx.db, async (tx) => {
    if (!(await takePendingLogin(tx, token))) throw authFailed()
    await passSecondFactor(ctx, tx, { userId, code, passkeyShown, pendingToken, address })
  })
  return { userId, passwordHash: null }
}

async function showsPasskey(
  ctx: Context,
  caller: Caller,
  { passkey, userId }: { passkey: Assertion | undefined; userId: number },
  wire: Wire | undefined,
): Promise<boolean> {
  if (passkey === undefined) return false
  await showPasskey(ctx, caller, { purpose: 'second-factor', assertion: passkey, userId }, wire)
  return true
}

function requireField(name: string, value: string | undefined): string {
  if (value === undefined) throw invalidInput({ [name]: [wordsOf('field.required')] })
  return value
}
