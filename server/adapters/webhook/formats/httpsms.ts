import { onceKey } from '#server/adapters/shared/incoming/signatures.ts'
import { readBearerToken } from '../bearer-token.ts'
import { parseObject, textIn } from '../json.ts'
import type { HttpSmsSettings } from '../settings.ts'
import { type Format, ignored, NOTHING, refuse, unread } from './format.ts'

/** Reads requests of httpSMS. The token covers only the URL, so TLS and our secret path must protect the body. */
export function httpSms({ secrets, signatureSeconds }: HttpSmsSettings): Format {
  return {
    answer: NOTHING,
    verify(request) {
      const token = readBearerToken(request, { secrets, toleranceSeconds: signatureSeconds })
      if (!('claims' in token)) return token
      if (!isFor(token.claims.aud, request.url)) return refuse('the token is for another address')
      return { genuine: true, once: onceKey(request.headers.authorization ?? '', request.body) }
    },
    read({ body }) {
      const event = parseObject(body)
      if (event === null) return unread('the body is not a JSON object')
      const type = textIn(event, 'type')
      if (type !== 'message.phone.received')
        return ignored(`the event is ${type ?? 'not named'}, not message.phone.received`)
      const [text, sender, phone] = ['content', 'contact', 'owner'].map((name) => textIn(event, `data.${name}`))
      if (text == null || sender == null || phone == null) return unread('data has no content, contact or owner')
      if (isEncrypted(event)) return unread('the message is encrypted: switch that off in the app')
      const id = textIn(event, 'data.message_id') ?? textIn(event, 'data.id') ?? textIn(event, 'id')
      const waitedMs = Date.parse(textIn(event, 'time') ?? '') - Date.parse(textIn(event, 'data.timestamp') ?? '')
      const slot = textIn(event, 'data.sim')
      return {
        outcome: 'sms',
        sms: {
          id,
          sender,
          text,
          phone,
          device: phone,
          slot,
          waitedMs: Number.isFinite(waitedMs) ? waitedMs : 0,
          byContent: false,
        },
      }
    },
  }
}

/** Compares only the URL's path, which contains our key, because the host may differ behind a proxy. */
function isFor(audience: unknown, url: string): boolean {
  const path = (address: string) => URL.parse(address)?.pathname
  return typeof audience === 'string' && path(audience) !== undefined && path(audience) === path(url)
}

function isEncrypted(event: Record<string, unknown>): boolean {
  const { data } = event
  return typeof data === 'object' && data !== null && 'encrypted' in data && data.encrypted === true
}
