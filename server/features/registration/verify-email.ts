import type { TokenReply } from '#contract/account.ts'
import type { Context } from '#server/context.ts'
import type { Db } from '#server/db/pool.ts'
import { transaction } from '#server/db/transaction.ts'
import { codeExpired, wrongCode } from '#server/errors.ts'
import { hashCode, isSameHash } from '#server/features/emails/code.ts'
import { takeGuessTurn } from '#server/features/emails/guess-turn.ts'
import { beginSession } from '#server/features/sessions/begin-session.ts'
import { createUser } from '#server/features/users/create-user.ts'
import type { Wire } from '#server/http/call.ts'
import type { Caller } from '#server/http/caller.ts'
import { readOrigin } from './origin.ts'
import { deleteRegistration, takeRegistrationTry } from './queries.ts'

/**
 * The code came back: makes the person, with an account in the currency of the zone, and signs him in. Throws
 * WRONG_CODE; CODE_EXPIRED when no code of this address is good, or the address has become somebody's meanwhile;
 * TOO_MANY_REQUESTS.
 */
export async function verifyEmail(
  ctx: Context,
  caller: Caller,
  input: { email: string; code: string },
  wire: Wire | undefined,
): Promise<TokenReply> {
  const email = input.email.toLowerCase()
  takeGuessTurn(ctx, { address: caller.address, account: email })
  // What is wrong is returned, not thrown: a throw would take the counted try back.
  const outcome = await transaction(ctx.db, (tx) => tryCode(ctx, tx, { email, code: input.code, caller, wire }))
  switch (outcome) {
    case 'wrong':
      throw wrongCode()
    case 'expired':
      throw codeExpired()
    default:
      return beginSession(ctx, caller, outcome, wire)
  }
}

async function tryCode(
  ctx: Context,
  tx: Db,
  input: { email: string; code: string; caller: Caller; wire: Wire | undefined },
): Promise<{ userId: number } | 'wrong' | 'expired'> {
  const { email, code, caller } = input
  const now = ctx.clock.now()
  const registration = await takeRegistrationTry(tx, { email, now })
  if (registration === null) return 'expired'
  if (!isSameHash(registration.code_hash, hashCode(ctx, { purpose: 'register', email, code }))) return 'wrong'
  await deleteRegistration(tx, email)
  const origin = readOrigin(input.wire)
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
    utm: origin.utm,
    now,
  })
  return userId === null ? 'expired' : { userId }
}
