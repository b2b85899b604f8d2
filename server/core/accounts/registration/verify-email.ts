import type { TokenReply } from '#contract/account.ts'
import { hashCode, isSameHash } from '#server/core/accounts/codes/code.ts'
import { limitGuesses } from '#server/core/accounts/codes/guess-rate-limit.ts'
import { createOrKeep } from '#server/core/accounts/guests/create-or-keep.ts'
import { beginSession } from '#server/core/accounts/sessions/begin-session.ts'
import { logAccountEvent } from '#server/core/accounts/users/log-account-event.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { codeExpired, needPassword, wrongCode, wrongRegistration } from '#server/house/errors/errors.ts'
import type { Wire } from '#server/house/http/call.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { refuseForeign } from '#server/house/http/refuse-foreign.ts'
import { forgetBrowserId, knownBrowserHash } from './browser-id.ts'
import { hashPendingPassword } from './hash-pending-password.ts'
import { readOrigin } from './origin.ts'
import { deleteRegistrations, takeRegistrationTry } from './queries.ts'

type Proof = { email: string; code: string; password?: string | undefined }

/**
 * Makes an account from the registration found by the browser's cookie or the given password. Throws NEED_PASSWORD
 * without cookie and password, WRONG_PASSWORD, WRONG_CODE, TOO_MANY_REQUESTS, and CODE_EXPIRED, also if another account
 * took the address meanwhile.
 */
export async function verifyEmail(
  ctx: Context,
  caller: Caller,
  input: Proof,
  wire: Wire | undefined,
): Promise<TokenReply> {
  refuseForeign(ctx, wire)
  const proof = { ...input, email: input.email.toLowerCase() }
  await limitGuesses(ctx, { address: caller.address, account: proof.email })
  const { email, password } = proof
  const passwordHash =
    password === undefined ? null : await hashPendingPassword(ctx, { key: caller.network }, { email, password })
  // The transaction returns failures, because a throw would roll back the counted try.
  const outcome = await transaction(ctx.db, (tx) => tryCode(ctx, tx, { proof, passwordHash, caller, wire }))
  switch (outcome) {
    case 'unknown':
      // The error does not reveal whether a registration is pending for the e-mail address.
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
  const user = {
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
  } as const
  const userId = await createOrKeep(ctx, tx, user, wire)
  return userId === null ? 'expired' : { userId }
}
