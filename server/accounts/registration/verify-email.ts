import type { TokenReply } from '#contract/account.ts'
import { hashCode, isSameHash } from '#server/accounts/codes/code.ts'
import { limitGuesses } from '#server/accounts/codes/guess-rate-limit.ts'
import { logAccountEvent } from '#server/accounts/security/log-account-event.ts'
import { beginSession } from '#server/accounts/sessions/begin-session.ts'
import { createUser } from '#server/accounts/users/create-user.ts'
import type { Context } from '#server/context.ts'
import type { Db } from '#server/db/pool.ts'
import { transaction } from '#server/db/transaction.ts'
import { codeExpired, needPassword, wrongCode, wrongRegistration } from '#server/errors.ts'
import type { Wire } from '#server/http/call.ts'
import type { Caller } from '#server/http/caller.ts'
import { refuseForeign } from '#server/http/refuse-foreign.ts'
import { forgetBrowserId, knownBrowserHash } from './browser-id.ts'
import { hashPendingPassword } from './hash-pending-password.ts'
import { readOrigin } from './origin.ts'
import { deleteRegistrations, takeRegistrationTry } from './queries.ts'

type Proof = { email: string; code: string; password?: string | undefined }

/**
 * The code came back: makes the person of that registration, with its password and an account in the currency of the
 * zone, and signs him in. Which registration the code is tried at, the browser's cookie says, or the password it was
 * made with. Throws NEED_PASSWORD without either, WRONG_PASSWORD, WRONG_CODE; CODE_EXPIRED when the code is no good any
 * more, or the address has become somebody's meanwhile; TOO_MANY_REQUESTS.
 */
export async function verifyEmail(
  ctx: Context,
  caller: Caller,
  input: Proof,
  wire: Wire | undefined,
): Promise<TokenReply> {
  refuseForeign(ctx, wire)
  const proof = { ...input, email: input.email.toLowerCase() }
  limitGuesses(ctx, { address: caller.address, account: proof.email })
  const { email, password } = proof
  const passwordHash =
    password === undefined ? null : await hashPendingPassword(ctx, { key: caller.network }, { email, password })
  // What is wrong is returned, not thrown: a throw would take the counted try back.
  const outcome = await transaction(ctx.db, (tx) => tryCode(ctx, tx, { proof, passwordHash, caller, wire }))
  switch (outcome) {
    case 'unknown':
      // The same whether anything waits for this address or not.
      throw passwordHash === null ? needPassword() : wrongRegistration()
    case 'wrong':
      throw wrongCode()
    case 'expired':
      throw codeExpired()
    default:
      forgetBrowserId(ctx, wire)
      logAccountEvent(ctx, { event: 'registered', userId: outcome.userId, address: caller.address })
      return beginSession(ctx, caller, outcome, wire)
  }
}

async function tryCode(
  ctx: Context,
  tx: Db,
  input: { proof: Proof; passwordHash: string | null; caller: Caller; wire: Wire | undefined },
): Promise<{ userId: number } | 'unknown' | 'wrong' | 'expired'> {
  const { proof, passwordHash, caller, wire } = input
  const { email, code } = proof
  const now = ctx.clock.now()
  const browserHash = passwordHash === null ? knownBrowserHash(ctx, wire) : null
  const { found, registration } = await takeRegistrationTry(tx, { email, browserHash, passwordHash, now })
  if (!found) return 'unknown'
  if (registration === null) return 'expired'
  if (!isSameHash(registration.code_hash, hashCode(ctx, { purpose: 'register', email, code }))) return 'wrong'
  await deleteRegistrations(tx, email)
  const origin = readOrigin(wire)
  const userId = await createUser(tx, {
    email,
    name: '',
    passwordHash: registration.password_hash,
    role: 'user',
    zone: caller.zone.name,
    currency: caller.zone.currency,
    locale: caller.locale,
    emailVerifiedAt: now,
    referrerId: registration.referrer_id ?? origin.referrerId,
    utm: Object.keys(registration.utm).length > 0 ? registration.utm : origin.utm,
    now,
  })
  return userId === null ? 'expired' : { userId }
}
