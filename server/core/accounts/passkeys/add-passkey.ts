import type { z } from 'zod'
import type { addPasskeyInputSchema, NewPasskey } from '#contract/passkeys/passkeys.ts'
import { requireSession, type SignedIn } from '#server/core/accounts/sessions/require-session.ts'
import { logAccountEvent } from '#server/core/accounts/users/log-account-event.ts'
import { findUser } from '#server/core/accounts/users/queries.ts'
import { listPasskeys, lockPasswordWay } from '#server/core/accounts/ways-in/queries.ts'
import { requireConfirmed } from '#server/core/accounts/ways-in/require-confirmed.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { passkeyFailed, tooManyPasskeys, unauthenticated } from '#server/house/errors/errors.ts'
import type { Wire } from '#server/house/http/call.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import { keepGuest } from '../guests/keep-guest.ts'
import { type PasskeySite, passkeySite } from '../ways-in/passkey-site.ts'
import { giveChallenge, spendChallenge } from './challenge.ts'
import { insertPasskey, type NewPasskeyRow } from './queries.ts'
import { refusal } from './refusal.ts'
import { tellOwner } from './tell-owner.ts'

export const MAX_PASSKEYS = 10
const SITE_NAME = 'Ringpost'
const HANDLE_BYTES = 32
/** The COSE identifiers of Ed25519, ES256 and RS256. Every device supports at least one of these algorithms. */
const ALGORITHMS = [-8, -7, -257]

/** Returns the options for a new passkey. Throws CONFIRM_PASSWORD, TOO_MANY_PASSKEYS, TOO_MANY_REQUESTS. */
export async function beginPasskey(ctx: Context, caller: MemberCaller, wire: Wire | undefined): Promise<NewPasskey> {
  const signedIn = requireSession(caller)
  await requireConfirmed(ctx, signedIn)
  if (wire === undefined) throw passkeyFailed()
  const { userId } = signedIn
  const { rpId } = passkeySite(ctx, wire)
  const [user, known] = await Promise.all([findUser(ctx.db, userId), listPasskeys(ctx.db, userId)])
  if (user === null) throw unauthenticated()
  if (known.length >= MAX_PASSKEYS) throw tooManyPasskeys(MAX_PASSKEYS)
  const here = known.filter((key) => key.rp_id === rpId)
  // A device stores one passkey for each user handle, so a new handle would leave a dead passkey in the device's list.
  const handle = here[0]?.handle ?? ctx.random.bytes(HANDLE_BYTES)
  return {
    status: true,
    ...(await giveChallenge(ctx, caller, { purpose: 'add', userId, handle }, wire)),
    rp: { id: rpId, name: SITE_NAME },
    user: { id: handle.toString('base64url'), name: user.email ?? user.name },
    algorithms: ALGORITHMS,
    exclude: here.map((key) => key.credential_id.toString('base64url')),
  }
}

type AddInput = z.output<typeof addPasskeyInputSchema>

/** Stores a new passkey. Throws PASSKEY_FAILED, PASSKEY_TAKEN, TOO_MANY_PASSKEYS, CONFIRM_PASSWORD. */
export async function addPasskey(
  ctx: Context,
  caller: MemberCaller,
  { name, credential }: AddInput,
  wire: Wire | undefined,
): Promise<void> {
  const signedIn = requireSession(caller)
  await requireConfirmed(ctx, signedIn)
  if (wire === undefined) throw passkeyFailed()
  const asked = { purpose: 'add', userId: signedIn.userId, clientData: credential.client_data } as const
  const { challenge, handle } = await spendChallenge(ctx, asked, wire)
  if (handle === null) throw passkeyFailed()
  const site = passkeySite(ctx, wire)
  const made = await readKey(ctx, credential, { challenge, site })
  await store(ctx, signedIn, { ...made, name, handle, rpId: site.rpId })
  logAccountEvent(ctx, { event: 'passkey-added', userId: signedIn.userId, address: caller.address })
}

async function store(ctx: Context, { userId }: SignedIn, key: Omit<NewPasskeyRow, 'userId' | 'now'>): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    await keepGuest(tx, { userId, now: ctx.clock.now() })
    // The lock on the user's row lets only one of two concurrent requests add the tenth passkey.
    await lockPasswordWay(tx, userId)
    if ((await listPasskeys(tx, userId)).length >= MAX_PASSKEYS) throw tooManyPasskeys(MAX_PASSKEYS)
    await insertPasskey(tx, { ...key, userId, now: ctx.clock.now() })
    await tellOwner(ctx, tx, userId, { kind: 'passkey-added', name: key.name })
  })
}

type KeyOfDevice = Pick<NewPasskeyRow, 'credentialId' | 'publicKey' | 'counter' | 'transports'>

async function readKey(
  ctx: Context,
  credential: AddInput['credential'],
  { challenge, site }: { challenge: string; site: PasskeySite },
): Promise<KeyOfDevice> {
  const { id, client_data: clientDataJSON, attestation_object: attestation, transports } = credential
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, attestationObject: await withoutStatement(attestation) },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) throw new Error('the registration was not verified')
    const { publicKey, counter } = registrationInfo.credential
    // The credential id is read from signed data, because nothing signs the `id` field of the request.
    const credentialId = Buffer.from(registrationInfo.credential.id, 'base64url')
    return { credentialId, publicKey: Buffer.from(publicKey), counter, transports }
  } catch (error) {
    throw refusal(ctx, error)
  }
}

/** Removes the attestation statement, because it may name URLs that the WebAuthn library would fetch. */
async function withoutStatement(attestation: string): Promise<string> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import('@simplewebauthn/server/helpers')
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestation))
  const bare = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', decoded.get('authData')],
  ])
  // The type of the CBOR encoder cannot express that the map has the fields of a decoded attestation.
  return isoBase64URL.fromBuffer(isoCBOR.encode(bare as Parameters<typeof isoCBOR.encode>[0]))
}
