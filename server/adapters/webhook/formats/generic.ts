import { SECOND } from '#contract/time.ts'
import { isFullPart } from '#server/adapters/shared/incoming/full-part.ts'
import { isText } from '#server/adapters/shared/incoming/readable.ts'
import { freshTime, hmac, isSame, isSignedByAny, onceKey } from '#server/adapters/shared/incoming/signatures.ts'
import type { IntakeRequest, Piece, Verdict } from '#server/core/suppliers/supplier.ts'
import { parseObject, textIn } from '../json.ts'
import { CHARSETS, type GenericSettings } from '../settings.ts'
import { type Format, ignored, refuse, type SentSms, unread } from './format.ts'

type Field = keyof GenericSettings['fields']
type Values = (name: string, charset?: string) => string | null

const OCTETS = /^(?:1|8-?bit|binary)$/i

const STATUS_FIELDS = [
  'status',
  'state',
  'message_status',
  'MessageStatus',
  'SmsStatus',
  'delivery_status',
  'dlr',
  'event',
]
const SENT_STATES =
  /^(?:sms[:._])?(?:message[._])?(?:queued|accept\w*|enroute|sending|submitted|sent|deliv\w*|undeliv\w*|fail\w*|reject\w*|expired|deleted|read)$/i

export function generic({ sentAs, charset, fields, auth, reply, signatureSeconds }: GenericSettings): Format {
  return {
    answer: reply,
    verify(request) {
      if (sentAs !== 'query' && request.method !== 'POST') return refuse('it is no POST')
      return verifyBy(auth, request, signatureSeconds)
    },
    read({ url, body, receivedAt }) {
      const values = valuesOf({ sentAs, charset, url, body })
      if (values === null) return unread('the body is not a JSON object')
      const value = (field: Field, own?: string) => {
        const name = fields[field]
        return name === undefined ? null : values(name, own)
      }
      const named = value('charset')?.toLowerCase()
      const own = CHARSETS.find((known) => known === named)
      const [text, sender] = [value('text', own), value('sender')]
      if (text === null && STATUS_FIELDS.some((name) => SENT_STATES.test(values(name) ?? '')))
        return ignored('it is the status of a message that was sent')
      if (text === null || sender === null) return unread(`there is no ${text === null ? fields.text : fields.sender}`)
      const sms: SentSms = {
        id: value('id'),
        sender,
        text,
        phone: value('phone'),
        device: value('device'),
        slot: value('slot'),
        waitedMs: waited(value('time'), receivedAt),
        byContent: false,
        ...(OCTETS.test(value('coding') ?? '') && !isText(text) && { notText: 'binary' }),
        piece: {
          isFull: isFullPart(text),
          numbered: readNumbering([value('reference'), value('part'), value('parts')]),
        },
      }
      return { outcome: 'sms', sms }
    },
  }
}

function verifyBy(auth: GenericSettings['auth'], request: IntakeRequest, toleranceSeconds: number): Verdict {
  const { headers, body, receivedAt, url } = request
  switch (auth.by) {
    case 'address':
      return { genuine: true, once: null }
    case 'header': {
      const shown = headers[auth.header.toLowerCase()]
      if (shown === undefined) return refuse(`there is no header ${auth.header}`)
      const isRight = isSignedByAny(auth.values, (value) => isSame(shown, value))
      return isRight ? { genuine: true, once: null } : refuse(`the header ${auth.header} is wrong`)
    }
    case 'basic': {
      const shown = headers.authorization ?? ''
      const expected = Buffer.from(`${auth.user}:${auth.password}`).toString('base64')
      return isSame(shown, `Basic ${expected}`) ? { genuine: true, once: null } : refuse('user or password is wrong')
    }
    case 'hmac': {
      const shown = headers[auth.header.toLowerCase()]
      if (shown === undefined) return refuse(`there is no header ${auth.header}`)
      const timestamp = auth.timeHeader === undefined ? '' : headers[auth.timeHeader.toLowerCase()]
      if (timestamp === undefined) return refuse(`there is no header ${auth.timeHeader}`)
      const signed = body.length > 0 ? body : Buffer.from(new URL(url).search.slice(1))
      const isSigned = (secret: string) => {
        const made = hmac(auth.algorithm, secret, signed, timestamp)
        return isSame(shown.slice(auth.prefix.length), made.toString(auth.encoding)) && shown.startsWith(auth.prefix)
      }
      if (!isSignedByAny(auth.secrets, isSigned)) return refuse(`the signature in ${auth.header} is wrong`)
      if (auth.timeHeader === undefined) return { genuine: true, once: null }
      if (freshTime(timestamp, receivedAt, toleranceSeconds) === null) return refuse(`${auth.timeHeader} is not now`)
      return { genuine: true, once: onceKey(timestamp, signed) }
    }
    default:
      return auth satisfies never
  }
}

function valuesOf(sent: Pick<GenericSettings, 'sentAs' | 'charset'> & { url: string; body: Buffer }): Values | null {
  const { sentAs, charset, url, body } = sent
  if (sentAs === 'json') {
    const object = parseObject(body)
    return object && ((path) => textIn(object, path))
  }
  const encoded = sentAs === 'query' ? url.slice(url.indexOf('?') + 1) : body.toString('latin1')
  const fields = readForm(encoded)
  return (name, own = charset) => {
    const octets = fields.get(name)
    return octets === undefined ? null : new TextDecoder(own).decode(octets)
  }
}

/** Parses a form like `URLSearchParams`, but keeps values as octets, which may be in any character set. */
function readForm(encoded: string): Map<string, Buffer> {
  const octetsOf = (text: string) => {
    const bytes = text
      .replaceAll('+', ' ')
      .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    return Buffer.from(bytes, 'latin1')
  }
  return new Map(
    encoded.split('&').map((pair) => {
      const [name = '', ...value] = pair.split('=')
      return [octetsOf(name).toString('utf8'), octetsOf(value.join('='))] as const
    }),
  )
}

/** Returns a part's place in its message, or null for a whole message or an impossible numbering. */
function readNumbering([reference, ...counts]: readonly (string | null)[]): Piece['numbered'] {
  const [part = 0, parts = 0] = counts.map((count) => (/^\d{1,3}$/.test(count ?? '') ? Number(count) : 0))
  return reference == null || parts < 2 || part < 1 || part > parts ? null : { reference, part, parts }
}

/** Returns how long a message waited, by our clock. Its time is in seconds or milliseconds since 1970, or a date. */
function waited(time: string | null, receivedAt: Date): number {
  if (time === null) return 0
  const number = /^\d{9,14}(?:\.\d+)?$/.test(time) ? Number(time) : null
  const at = number === null ? Date.parse(time) : number < 100_000_000_000 ? number * SECOND : number
  return Number.isFinite(at) ? receivedAt.getTime() - at : 0
}
