import { expect, test } from 'vitest'
import { createSmppHouse } from '#test/fakes/smpp/smpp-house.ts'
import { createWebhookSupplier } from './webhook-supplier.ts'

const SENT = { to: '77051234567', from: '79160000001' }
const json = (value: object) => JSON.stringify(value)
const form = (value: Record<string, string>) => new URLSearchParams(value).toString()
const secrets = ['a signing key of the tests']
const publicKeys = [Buffer.alloc(32, 1).toString('base64')]
const STATES = ['queued', 'sent', 'delivered', 'undelivered', 'failed', 'read']
const HTTPSMS = ['message.phone.sent', 'message.phone.delivered', 'message.send.failed', 'message.send.expired']

const CALLBACKS: [string, object, string[]][] = [
  [
    'twilio',
    { secrets },
    STATES.flatMap((status) => [
      form({ MessageSid: 'SM1', MessageStatus: status, To: SENT.to, From: SENT.from }),
      form({ SmsSid: 'SM1', SmsStatus: status, To: SENT.to, From: SENT.from, Body: 'code 1234' }),
    ]),
  ],
  ['vonage', { secrets }, STATES.map((status) => json({ ...SENT, channel: 'sms', message_uuid: 'a', status }))],
  [
    'telnyx',
    { publicKeys },
    ['message.sent', 'message.finalized'].map((event_type) =>
      json({ data: { event_type, payload: { id: 'a', text: 'code 1234', to: [{ status: 'delivered' }] } } }),
    ),
  ],
  [
    'httpsms',
    { secrets },
    HTTPSMS.map((type) => json({ type, data: { owner: '+77051234567', contact: SENT.from, content: 'code 1234' } })),
  ],
]

test.each(CALLBACKS)('B8, %s: a status brings no message, and is no fault', async (format, own, bodies) => {
  await using house = await createSmppHouse()
  const settings = { format, ...own, intakeKey: 'k'.repeat(32), currency: 'rub', services: [] }
  const row = { id: house.supplierId, code: 'phones', kind: 'webhook', settings }
  const { intake } = createWebhookSupplier(house.ctx, row)
  const request = { method: 'POST', url: '?', headers: {}, receivedAt: house.ctx.clock.now(), requestId: 1n }
  for (const body of bodies) {
    expect(await intake?.read({ ...request, body: Buffer.from(body) })).toMatchObject({ outcome: 'ignored' })
  }
})
