import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js'

export type Posted = { method: 'GET' | 'POST'; query?: string; headers: Record<string, string>; body: string }
export type Message = { to: string; from: string; text: string; id: string; at: Date }

const SECRET = 'a signing key of the tests'
const { publicKey, privateKey } = generateKeyPairSync('ed25519')

/** A program that posts messages to a webhook and signs them as its vendor documents. */
export type Sender = {
  settings: Record<string, unknown>
  post(message: Message, sent: { address: string; at: Date }): Posted
}

const seconds = (at: Date) => String(Math.floor(at.getTime() / 1_000))
const json = { 'content-type': 'application/json' }

/** Android SMS Gateway signs by hex HMAC-SHA256 of body and `X-Timestamp` (its docs/features/webhooks.md on GitHub). */
const androidSmsGateway: Sender = {
  settings: { format: 'android-sms-gateway', secrets: [SECRET] },
  post({ to, from, text, id, at }, sent) {
    const body = JSON.stringify({
      deviceId: 'ffffffffceb0b1db0000018e937c815b',
      event: 'sms:received',
      id,
      payload: {
        messageId: createHash('md5').update(text).digest('hex').slice(0, 8),
        message: text,
        phoneNumber: from,
        recipient: to,
        simNumber: 1,
        receivedAt: at.toISOString(),
      },
      webhookId: 'LreFUt-Z3sSq0JufY9uWB',
    })
    const timestamp = seconds(sent.at)
    const signature = createHmac('sha256', SECRET)
      .update(body + timestamp)
      .digest('hex')
    return { method: 'POST', headers: { ...json, 'x-signature': signature, 'x-timestamp': timestamp }, body }
  },
}

/** httpSMS posts a CloudEvent without a content type, with an HS256 token (NdoleStudio/httpsms, webhook_service.go). */
const httpSms: Sender = {
  settings: { format: 'httpsms', secrets: [SECRET] },
  post({ to, from, text, id, at }, sent) {
    const body = JSON.stringify({
      specversion: '1.0',
      id: `event-${id}`,
      source: '/v1/messages/receive',
      type: 'message.phone.received',
      datacontenttype: 'application/json',
      time: sent.at.toISOString(),
      data: {
        message_id: id,
        user_id: 'WB7DRDWrJZRGbYrv2CKGkqbzvqdC',
        owner: `+${to}`,
        encrypted: false,
        contact: from,
        timestamp: at.toISOString(),
        content: text,
        sim: 'SIM1',
      },
    })
    const iat = Number(seconds(sent.at))
    const times = { exp: iat + 600, iat, nbf: iat - 600 }
    const claims = { aud: sent.address, ...times, iss: 'api.httpsms.com', sub: 'WB7DRDWrJZRGbYrv2CKGkqbzvqdC' }
    return { method: 'POST', headers: { 'x-event-type': 'message.phone.received', ...bearer(claims) }, body }
  },
}

const twilio: Sender = {
  settings: { format: 'twilio', secrets: [SECRET] },
  post({ to, from, text, id }, { address }) {
    const fields = {
      ToCountry: 'KZ',
      ToState: '',
      SmsMessageSid: id,
      NumMedia: '0',
      ToCity: '',
      FromZip: '',
      SmsSid: id,
      FromState: '',
      SmsStatus: 'received',
      FromCity: '',
      Body: text,
      FromCountry: 'US',
      To: `+${to}`,
      MessagingServiceSid: 'MG0000',
      ToZip: '',
      NumSegments: '1',
      MessageSid: id,
      AccountSid: 'AC0000',
      From: from,
      ApiVersion: '2010-04-01',
    }
    const signature = getExpectedTwilioSignature(SECRET, address, fields)
    const headers = {
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      'x-twilio-signature': signature,
    }
    return { method: 'POST', headers, body: new URLSearchParams(fields).toString() }
  },
}

/** Vonage sends an HS256 token with the hash of the body (developer.vonage.com, signed webhooks). */
const vonage: Sender = {
  settings: { format: 'vonage', secrets: [SECRET] },
  post({ to, from, text, id, at }, sent) {
    const body = JSON.stringify({
      channel: 'sms',
      message_uuid: id,
      to,
      from,
      timestamp: at.toISOString(),
      text,
      message_type: 'text',
      context_status: 'none',
      sms: { num_messages: '1' },
      usage: { price: '0', currency: 'EUR' },
    })
    const claims = {
      iat: Number(seconds(sent.at)),
      jti: `jti-${id}`,
      iss: 'Vonage',
      api_key: 'abcd1234',
      payload_hash: createHash('sha256').update(body).digest('hex'),
      application_id: 'aaaaaaaa-bbbb',
    }
    return { method: 'POST', headers: { ...json, ...bearer(claims) }, body }
  },
}

/** Telnyx signs `timestamp|body` with ed25519 (developers.telnyx.com, webhook signing). */
const telnyx: Sender = {
  settings: { format: 'telnyx', publicKeys: [rawKey(publicKey)] },
  post({ to, from, text, id, at }, sent) {
    const payload = {
      record_type: 'message',
      direction: 'inbound',
      id,
      type: 'SMS',
      messaging_profile_id: 'p',
      cc: [],
      from: { phone_number: from, carrier: 'T-MOBILE USA, INC.', line_type: 'Wireless' },
      to: [{ phone_number: `+${to}`, status: 'webhook_delivered', carrier: 'TELNYX LLC', line_type: 'VoIP' }],
      text,
      media: [],
      received_at: at.toISOString(),
      parts: 1,
      encoding: 'GSM-7',
    }
    const body = JSON.stringify({
      data: {
        event_type: 'message.received',
        id: `event-${id}`,
        occurred_at: at.toISOString(),
        payload,
        record_type: 'event',
      },
      meta: { attempt: 1, delivered_to: sent.address },
    })
    const timestamp = seconds(sent.at)
    const signature = sign(null, Buffer.from(`${timestamp}|${body}`), privateKey).toString('base64')
    return {
      method: 'POST',
      headers: { ...json, 'telnyx-signature-ed25519': signature, 'telnyx-timestamp': timestamp },
      body,
    }
  },
}

/** Kannel does not sign a `get-url` request, so only its source address proves the sender. */
const kannel: Sender = {
  settings: {
    format: 'generic',
    sentAs: 'query',
    fields: { phone: 'to', sender: 'from', text: 'text', id: 'id', time: 'time' },
  },
  post({ to, from, text, id, at }) {
    const query = new URLSearchParams({ to, from, text, id, time: seconds(at) }).toString()
    return { method: 'GET', query, headers: {}, body: '' }
  },
}

export const SENDERS: Readonly<Record<string, Sender>> = { androidSmsGateway, httpSms, twilio, vonage, telnyx, kannel }
export const TELNYX_PUBLIC_KEY = rawKey(publicKey)
export const SENDER_SECRET = SECRET

function bearer(claims: object): { authorization: string } {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return { authorization: `Bearer ${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}` }
}

function rawKey(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')
}
