import type { Provider, TokenReply } from '#contract/account.ts'
import { createOrKeep } from '#server/core/accounts/guests/create-or-keep.ts'
import { type Origin, readOrigin } from '#server/core/accounts/registration/origin.ts'
import { beginSession } from '#server/core/accounts/sessions/begin-session.ts'
import { demandSecondFactor } from '#server/core/accounts/two-factor/pending-login.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { AppError, emailTaken } from '#server/house/errors/errors.ts'
import type { Wire } from '#server/house/http/call.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { type Callback, finishJourney } from './finish-journey.ts'
import type { Profile } from './profile.ts'
import { findIdentityOwner, type IdentityOwner, putIdentity } from './queries.ts'

/**
 * Signs in to the account linked with the provider's id of the person, never found by e-mail, or makes an account.
 * Throws AUTH_FAILED, EMAIL_TAKEN, NEED_2FA_CODE.
 */
export async function signInByProfile(
  ctx: Context,
  caller: Caller,
  callback: Callback,
  wire: Wire | undefined,
): Promise<TokenReply> {
  const profile = await finishJourney(ctx, { callback, userId: null }, wire)
  const owner = await ownerOf(ctx, caller, { provider: callback.service, profile, origin: readOrigin(wire), wire })
  await demandSecondFactor(ctx, owner.userId)
  return beginSession(ctx, caller, { userId: owner.userId }, wire)
}

type Newcomer = { provider: Provider; profile: Profile; origin: Origin; wire: Wire | undefined }

async function ownerOf(ctx: Context, caller: Caller, newcomer: Newcomer): Promise<IdentityOwner> {
  const identity = { provider: newcomer.provider, subject: newcomer.profile.subject }
  const known = await findIdentityOwner(ctx.db, identity)
  if (known !== null) return known
  try {
    return { userId: await makeUser(ctx, caller, newcomer) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // A concurrent sign-in with the same new profile made the account first.
    const madeMeanwhile = await findIdentityOwner(ctx.db, identity)
    if (madeMeanwhile === null) throw error
    return madeMeanwhile
  }
}

function makeUser(ctx: Context, caller: Caller, { provider, profile, origin, wire }: Newcomer): Promise<number> {
  const now = ctx.clock.now()
  return transaction(ctx.db, async (tx) => {
    const user = {
      email: profile.email,
      name: profile.name,
      passwordHash: null,
      role: 'user',
      zone: caller.zone.name,
      locale: caller.locale,
      currency: caller.zone.currency,
      ...(profile.email !== null && { emailVerifiedAt: now }),
      referrerId: origin.referrerId,
      utm: origin.utm,
      now,
    } as const
    const userId = await createOrKeep(ctx, tx, user, wire)
    if (userId === null) throw emailTaken()
    await putIdentity(tx, { userId, provider, subject: profile.subject, name: profile.name, now })
    return userId
  })
}
