import type { AskedPasskey, Assertion, Attestation, NewPasskey } from '#contract/passkeys/passkeys.ts'

const LOOPBACK = /^127\.|^\[::1\]$/
const IP_ADDRESS = /^[\d.]+$|^\[/

export type PasskeyObstacle = 'address' | 'insecure' | 'browser'

/** Returns why this page cannot use passkeys, null if it can. They need a host name (no IP), and TLS or localhost. */
export function passkeyObstacle(): PasskeyObstacle | null {
  if (IP_ADDRESS.test(location.hostname)) return 'address'
  if (!window.isSecureContext) return 'insecure'
  return typeof PublicKeyCredential === 'function' ? null : 'browser'
}

/** Returns the URL of this page where passkeys work, null if none. `publicUrl` is the URL of the site. */
export function addressWithPasskeys(publicUrl: string): string | null {
  const { hostname, port, pathname } = location
  if (LOOPBACK.test(hostname)) return `http://localhost${port && `:${port}`}${pathname}`
  const named = new URL(pathname, publicUrl)
  const works = named.protocol === 'https:' && !IP_ADDRESS.test(named.hostname) && named.host !== location.host
  return works ? named.href : null
}

/** Asks the device to create a passkey. Returns null if the user cancels. */
export async function createPasskey(asked: NewPasskey): Promise<Attestation | null> {
  const made = await orNull(
    navigator.credentials.create({
      publicKey: {
        challenge: toBytes(asked.challenge),
        rp: asked.rp,
        user: { id: toBytes(asked.user.id), name: asked.user.name, displayName: asked.user.name },
        pubKeyCredParams: asked.algorithms.map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: asked.exclude.map((id) => ({ type: 'public-key', id: toBytes(id) })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        attestation: 'none',
        timeout: asked.timeout_ms,
      },
    }),
  )
  if (!(made instanceof PublicKeyCredential)) return null
  const { response } = made
  if (!(response instanceof AuthenticatorAttestationResponse)) return null
  return {
    id: made.id,
    transports: response.getTransports(),
    client_data: toText(response.clientDataJSON),
    attestation_object: toText(response.attestationObject),
  }
}

/** Asks the device to sign in with a passkey. Returns null if the user cancels. */
export async function showPasskey(asked: AskedPasskey): Promise<Assertion | null> {
  const shown = await orNull(
    navigator.credentials.get({
      publicKey: {
        challenge: toBytes(asked.challenge),
        rpId: asked.rp_id,
        userVerification: asked.user_verification,
        timeout: asked.timeout_ms,
      },
    }),
  )
  if (!(shown instanceof PublicKeyCredential)) return null
  const { response } = shown
  if (!(response instanceof AuthenticatorAssertionResponse)) return null
  return {
    id: shown.id,
    client_data: toText(response.clientDataJSON),
    authenticator_data: toText(response.authenticatorData),
    signature: toText(response.signature),
  }
}

/** Browsers report a cancellation, a missing passkey and a time-out alike, so that pages learn nothing. */
async function orNull<T>(asking: Promise<T>): Promise<T | null> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')) return null
    throw error
  }
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

function toText(bytes: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(bytes))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
