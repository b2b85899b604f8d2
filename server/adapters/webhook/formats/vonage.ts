import { createHash } from 'node:crypto'
import { isSame, onceKey } from '#server/adapters/shared/incoming/signatures.ts'
import { readBearerToken } from '../bearer-token.ts'
import { parseObject, textIn } from '../json.ts'
import type { VonageSettings } from '../settings.ts'
import { type Format, ignored, NOTHING, refuse, unread } from './format.ts'

/** Reads requests of Vonage's Messages API. The signed token has a hash, which is compared with that of the body. */
export function vonage({ secrets, signatureSeconds }: VonageSettings): Format {
  return {
    answer: NOTHING,
    verify(request) {
      const token = readBearerToken(request, { secrets, toleranceSeconds: signatureSeconds })
      if (!('claims' in token)) return token
      const { payload_hash: hash, jti } = token.claims
      if (typeof hash !== 'string') return refuse('the token has no payload_hash')
      if (!isSame(hash.toLowerCase(), createHash('sha256').update(request.body).digest('hex')))
        return refuse('the token is for another body')
      return { genuine: true, once: onceKey(String(jti ?? request.headers.authorization), request.body) }
    },
    read({ body, receivedAt }) {
      const message = parseObject(body)
      if (message === null) return unread('the body is not a JSON object')
      const channel = textIn(message, 'channel')
      if (channel !== 'sms') return ignored(`the channel is ${channel ?? 'not named'}, not sms`)
      const [id, phone, sender, text] = ['message_uuid', 'to', 'from', 'text'].map((name) => textIn(message, name))
      if (id == null || phone == null || sender == null || text == null)
        return textIn(message, 'status') === null
          ? unread('message_uuid, to, from or text is missing')
          : ignored('it is the status of a message that was sent')
      const waitedMs = receivedAt.getTime() - Date.parse(textIn(message, 'timestamp') ?? '')
      const rest = { device: null, slot: null, waitedMs: Number.isFinite(waitedMs) ? waitedMs : 0, byContent: false }
      return { outcome: 'sms', sms: { id, phone, sender, text, ...rest } }
    },
  }
}
