import { SECOND } from '#contract/time.ts'
import { freshTime, hmac, isSame, isSignedByAny, onceKey } from '#server/adapters/shared/incoming/signatures.ts'
import { parseObject, textIn } from '../json.ts'
import type { AndroidSmsGatewaySettings } from '../settings.ts'
import { type Format, ignored, NOTHING, refuse, unread } from './format.ts'

/**
 * Reads requests of SMS Gateway for Android (capcom6). `X-Signature` is the hex HMAC-SHA256 of the body and
 * `X-Timestamp`, with the key from the app's settings. `messageId` is derived from the text, so the event's id is used:
 * it is unique and survives retries.
 */
export function androidSmsGateway({ secrets, signatureSeconds }: AndroidSmsGatewaySettings): Format {
  return {
    answer: NOTHING,
    verify({ headers, body, receivedAt }) {
      const { 'x-signature': signature, 'x-timestamp': timestamp } = headers
      if (signature === undefined || timestamp === undefined) return refuse('there is no X-Signature or X-Timestamp')
      const isSigned = (secret: string) =>
        isSame(signature.toLowerCase(), hmac('sha256', secret, body, timestamp).toString('hex'))
      if (!isSignedByAny(secrets, isSigned)) return refuse('X-Signature is wrong')
      if (freshTime(timestamp, receivedAt, signatureSeconds) === null) return refuse('X-Timestamp is not now')
      return { genuine: true, once: onceKey(timestamp, body) }
    },
    read({ body, headers }) {
      const event = parseObject(body)
      if (event === null) return unread('the body is not a JSON object')
      const kind = textIn(event, 'event')
      if (kind !== 'sms:received') return ignored(`the event is ${kind ?? 'not named'}, not sms:received`)
      const text = textIn(event, 'payload.message')
      const sender = textIn(event, 'payload.sender') ?? textIn(event, 'payload.phoneNumber')
      if (text === null || sender === null) return unread('payload has no message or sender')
      const id = textIn(event, 'id')
      const device = textIn(event, 'deviceId')
      return {
        outcome: 'sms',
        sms: {
          id: id === null ? null : `${device ?? ''}:${id}`,
          sender,
          text,
          phone: textIn(event, 'payload.recipient'),
          device,
          slot: textIn(event, 'payload.simNumber'),
          waitedMs: waited(headers['x-timestamp'], textIn(event, 'payload.receivedAt')),
          byContent: true,
        },
      }
    },
  }
}

/** Returns how long a message waited on the phone. Both times are the phone's, so a wrong clock does not matter. */
function waited(sentSeconds: string | undefined, receivedAt: string | null): number {
  const waitedMs = Number(sentSeconds) * SECOND - Date.parse(receivedAt ?? '')
  return Number.isFinite(waitedMs) ? waitedMs : 0
}
