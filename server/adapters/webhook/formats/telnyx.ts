import { createPublicKey, type KeyObject, verify as verifySignature } from 'node:crypto'
import { freshTime, onceKey } from '#server/adapters/shared/incoming/signatures.ts'
import { parseObject, textIn } from '../json.ts'
import type { TelnyxSettings } from '../settings.ts'
import { type Format, ignored, NOTHING, refuse, unread } from './format.ts'

/** The DER prefix of a 32-octet ed25519 key (RFC 8410). */
const ED25519 = Buffer.from('302a300506032b6570032100', 'hex')

/** Reads requests of Telnyx. The account's ed25519 public key verifies the signature of `timestamp|body`. */
export function telnyx({ publicKeys, signatureSeconds }: TelnyxSettings): Format {
  const keys = publicKeys.map(toKey)
  return {
    answer: NOTHING,
    verify({ headers, body, receivedAt }) {
      const { 'telnyx-signature-ed25519': signature, 'telnyx-timestamp': timestamp } = headers
      if (signature === undefined || timestamp === undefined) return refuse('there is no signature of Telnyx')
      const signed = Buffer.concat([Buffer.from(`${timestamp}|`), body])
      const octets = Buffer.from(signature, 'base64')
      if (!keys.some((key) => verifySignature(null, signed, key, octets))) return refuse('the signature is wrong')
      if (freshTime(timestamp, receivedAt, signatureSeconds) === null) return refuse('telnyx-timestamp is not now')
      return { genuine: true, once: onceKey(timestamp, body) }
    },
    read({ body, receivedAt }) {
      const event = parseObject(body)
      if (event === null) return unread('the body is not a JSON object')
      const type = textIn(event, 'data.event_type')
      if (type !== 'message.received') return ignored(`the event is ${type ?? 'not named'}, not message.received`)
      const paths = ['id', 'to.0.phone_number', 'from.phone_number', 'text']
      const [id, phone, sender, text] = paths.map((path) => textIn(event, `data.payload.${path}`))
      if (id == null || phone == null || sender == null || text == null)
        return unread('id, to, from or text is missing')
      const waitedMs = receivedAt.getTime() - Date.parse(textIn(event, 'data.payload.received_at') ?? '')
      const rest = { device: null, slot: null, waitedMs: Number.isFinite(waitedMs) ? waitedMs : 0, byContent: false }
      return { outcome: 'sms', sms: { id, phone, sender, text, ...rest } }
    },
  }
}

function toKey(base64: string): KeyObject {
  return createPublicKey({ key: Buffer.concat([ED25519, Buffer.from(base64, 'base64')]), format: 'der', type: 'spki' })
}
