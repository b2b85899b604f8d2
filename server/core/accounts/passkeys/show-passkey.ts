import type { AskedPasskey, Assertion, PasskeyPurpose } from '#contract/passkeys/passkeys.ts'
import { logAccountEvent } from '#server/core/accounts/users/log-account-event.ts'
import type { Context } from '#server/house/context.ts'
import { passkeyFailed } from '#server/house/errors/errors.ts'
import type { Wire } from '#server/house/http/call.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { aboutUser } from '#server/house/http/door/refusals.ts'
import { type PasskeySite, passkeySite } from '../ways-in/passkey-site.ts'
import { giveChallenge, spendChallenge } from './challenge.ts'
import { findPasskey, noteUse, type StoredKey } from './queries.ts'
import { refusal } from './refusal.ts'

/**
 * Returns a passkey challenge. The device must verify its owner only if no password is used. Throws TOO_MANY_REQUESTS,
 * PASSKEY_FAILED.
 */
export async function askPasskey(
  ctx: Context,
  caller: Caller,
  purpose: PasskeyPurpose,
  wire: Wire | undefined,
): Promise<AskedPasskey> {
  if (wire === undefined) throw passkeyFailed()
  return {
    status: true,
    ...(await giveChallenge(ctx, caller, { purpose, userId: null, handle: null }, wire)),
    rp_id: passkeySite(ctx, wire).rpId,
    user_verification: needsOwner(purpose) ? 'required' : 'preferred',
  }
}

function needsOwner(purpose: PasskeyPurpose): boolean {
  return purpose !== 'second-factor'
}

type Shown = {
  purpose: PasskeyPurpose
  assertion: Assertion /** If the user id is null, the passkey itself tells who signs in. */
  userId?: number
}

/** Checks a passkey. An unknown passkey and a wrong signature get the same answer. Throws PASSKEY_FAILED. */
export async function showPasskey(
  ctx: Context,
  caller: Caller,
  { purpose, assertion, userId }: Shown,
  wire: Wire | undefined,
): Promise<{ userId: number }> {
  if (wire === undefined) throw passkeyFailed()
  const asked = { purpose, userId: null, clientData: assertion.client_data }
  const { challenge } = await spendChallenge(ctx, asked, wire)
  const key = await findPasskey(ctx.db, Buffer.from(assertion.id, 'base64url'))
  const site = passkeySite(ctx, wire)
  const isTheirs = userId === undefined || key?.user_id === userId
  if (key === null || !isTheirs || key.rp_id !== site.rpId) throw aboutUser(passkeyFailed(), key?.user_id)
  const counter = await checkSignature(ctx, assertion, { key, challenge, site, needsOwner: needsOwner(purpose) })
  if (!(await noteUse(ctx.db, { id: key.id, counter, now: ctx.clock.now() }))) {
    logAccountEvent(ctx, { event: 'passkey-counted-back', userId: key.user_id, address: caller.address })
    throw aboutUser(passkeyFailed(), key.user_id)
  }
  return { userId: key.user_id }
}

type Expected = { key: StoredKey; challenge: string; site: PasskeySite; needsOwner: boolean }

async function checkSignature(ctx: Context, assertion: Assertion, expected: Expected): Promise<number> {
  const { id, client_data: clientDataJSON, authenticator_data: authenticatorData, signature } = assertion
  const { key, challenge, site, needsOwner: requireUserVerification } = expected
  // The WebAuthn library has three hundred modules, so it is imported only when a passkey is used.
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      credential: { id, publicKey: new Uint8Array(key.public_key), counter: 0 },
      requireUserVerification,
    })
    if (!verified) throw new Error('the signature is wrong')
    return authenticationInfo.newCounter
  } catch (error) {
    throw aboutUser(refusal(ctx, error), key.user_id)
  }
}
