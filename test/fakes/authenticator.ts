import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { AskedPasskey, Assertion, Attestation, NewPasskey } from '#contract/passkeys/passkeys.ts'

/** The ways in which a dishonest browser or device differs from an honest one. */
type Differs = { origin?: string; rpId?: string; counter?: number; verified?: boolean; credentialId?: string }

/**
 * Returns a device with one passkey, used at the site `origin`. The device checks nothing: that is the server's duty.
 */
export function makeAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(16)
  let signed = 0

  function clientData(type: string, challenge: string, differs: Differs): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: differs.origin ?? origin, crossOrigin: false }))
  }
  function authData(rpId: string, differs: Differs, key: Buffer): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(differs.counter ?? signed)
    const present = 0b0000_0001 | (differs.verified === false ? 0 : 0b0000_0100)
    const flags = present | (key.length > 0 ? 0b0100_0000 : 0)
    return Buffer.concat([sha256(differs.rpId ?? rpId), Buffer.from([flags]), counter, key])
  }
  return {
    credentialId: credentialId.toString('base64url'),
    create(asked: NewPasskey, differs: Differs = {}): Attestation {
      const cose = new Map<number, number | Buffer>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const key = Buffer.concat([Buffer.alloc(16), length, credentialId, encode(cose)])
      const data = authData(asked.rp.id, differs, key)
      const attestation = encode(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', data],
        ]),
      )
      return {
        id: credentialId.toString('base64url'),
        transports: ['internal'],
        client_data: clientData('webauthn.create', asked.challenge, differs).toString('base64url'),
        attestation_object: attestation.toString('base64url'),
      }
    },
    get(asked: AskedPasskey, differs: Differs = {}): Assertion {
      signed += 1
      const client = clientData('webauthn.get', asked.challenge, differs)
      const data = authData(asked.rp_id, differs, Buffer.alloc(0))
      return {
        id: differs.credentialId ?? credentialId.toString('base64url'),
        client_data: client.toString('base64url'),
        authenticator_data: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
      }
    },
  }
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

/** The library's type allows only values that the library itself encodes, so a cast is needed. */
function encode(value: Map<unknown, unknown>): Buffer {
  return Buffer.from(isoCBOR.encode(value as Parameters<typeof isoCBOR.encode>[0]))
}
