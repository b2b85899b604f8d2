import { hmac, isSame, isSignedByAny } from '#server/adapters/shared/incoming/signatures.ts'
import type { TwilioSettings } from '../settings.ts'
import { type Format, ignored, refuse, unread } from './format.ts'

/** An empty TwiML document, with which Twilio sends no SMS in reply. */
const NO_REPLY = { type: 'text/xml; charset=utf-8', text: '<?xml version="1.0" encoding="UTF-8"?><Response/>' }

/** The maximum number of fields. A message with ten pictures has half as many. */
const MOST_FIELDS = 100

/**
 * Reads requests of Twilio, which signs the URL and the sorted fields with base64 of HMAC-SHA1. No time is signed, so
 * replays are recognised by `MessageSid`, which is stored for ever.
 */
export function twilio({ secrets, publicUrl }: TwilioSettings): Format {
  return {
    answer: NO_REPLY,
    verify({ url, headers, body }) {
      const signature = headers['x-twilio-signature']
      if (signature === undefined) return refuse('there is no X-Twilio-Signature')
      const fields = signedFields(body)
      if (fields === null) return refuse(`there are more than ${MOST_FIELDS} fields`)
      const addresses = addressesOf(publicUrl === undefined ? url : `${publicUrl}${pathOf(url)}`)
      const isSigned = (secret: string) =>
        addresses.some((address) => isSame(signature, hmac('sha1', secret, address, fields).toString('base64')))
      if (!isSignedByAny(secrets, isSigned))
        return refuse('X-Twilio-Signature is wrong: of another token, or of another address than PUBLIC_URL')
      return { genuine: true, once: null }
    },
    read({ body }) {
      const fields = new URLSearchParams(body.toString('utf8'))
      const id = fields.get('MessageSid') ?? fields.get('SmsSid')
      const [phone, sender, text] = [fields.get('To'), fields.get('From'), fields.get('Body')]
      if (id === null || phone === null || sender === null) return unread('MessageSid, To or From is missing')
      const status = fields.get('SmsStatus') ?? fields.get('MessageStatus')
      if (text === null || (status !== null && status !== 'received'))
        return ignored(`the status is ${status ?? 'not named'}`)
      return {
        outcome: 'sms',
        sms: { id, phone, sender, text, device: null, slot: null, waitedMs: 0, byContent: false },
      }
    },
  }
}

/** Returns each name with its values, sorted, or null if there are more fields than a message has. */
function signedFields(body: Buffer): string | null {
  const values = new Map<string, Set<string>>()
  for (const [name, value] of new URLSearchParams(body.toString('utf8'))) {
    values.set(name, (values.get(name) ?? new Set()).add(value))
    if (values.size > MOST_FIELDS) return null
  }
  const sorted = [...values].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return sorted
    .map(([name, own]) =>
      [...own]
        .toSorted()
        .map((value) => name + value)
        .join(''),
    )
    .join('')
}

/** Returns the URL with and without its port, because Twilio signs some URLs with the port and some without. */
function addressesOf(address: string): string[] {
  const { protocol, host, hostname, port } = new URL(address)
  const rest = pathOf(address)
  const withPort = `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`
  return [...new Set([host, hostname, withPort])].map((name) => `${protocol}//${name}${rest}`)
}

function pathOf(address: string): string {
  const at = address.indexOf('/', address.indexOf('://') + 3)
  return at === -1 ? '' : address.slice(at)
}
