import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Posted, SENDER_SECRET, SENDERS } from '#test/fakes/webhook/senders.ts'
import { openWebhookHouse, PHONES } from '#test/fakes/webhook/webhook-house.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

const RECEIPT = 'id:998877 sub:001 dlvrd:001 submit date:2601010101 done date:2601010102 stat:DELIVRD err:000 text:'
const [PHONE = ''] = PHONES

async function textsOf(t: TestApp): Promise<string[]> {
  const { rows } = await t.ctx.db.query<{ body: string }>({ text: 'SELECT body FROM messages ORDER BY id' })
  return rows.map(({ body }) => body)
}

test.each(Object.entries(SENDERS))('B8, %s: a receipt in words is acknowledged and dropped', async (_, sender) => {
  await using t = await startTestApp()
  const house = await openWebhookHouse(t, sender)
  expect((await house.post({ text: RECEIPT })).status).toBe(200)
  expect((await house.post({ text: 'Telegram code: 48213' })).status).toBe(200)
  expect(await textsOf(t)).toEqual(['Telegram code: 48213'])
  expect(await house.states()).toEqual({ ignored: 1, processed: 1 })
})

test.each(['sms:sent', 'sms:delivered', 'sms:failed', 'sms:data-received', 'mms:received', 'system:ping'])(
  'B8, B1, android: the event %s is acknowledged and dropped',
  async (event) => {
    await using t = await startTestApp()
    const house = await openWebhookHouse(t, SENDERS.androidSmsGateway ?? failed())
    const change = (posted: Posted): Posted => {
      const body = JSON.stringify({ ...JSON.parse(posted.body), event })
      const timestamp = posted.headers['x-timestamp'] ?? ''
      const signature = createHmac('sha256', SENDER_SECRET)
        .update(body + timestamp)
        .digest('hex')
      return { ...posted, body, headers: { ...posted.headers, 'x-signature': signature } }
    }
    expect((await house.post({}, change)).status).toBe(200)
    expect([await textsOf(t), await house.states()]).toEqual([[], { ignored: 1 }])
  },
)

function failed(): never {
  throw new Error('there is no such sender')
}

const generic = (settings: object) => ({
  settings: { format: 'generic', fields: { phone: 'to', sender: 'from', text: 'text' }, ...settings },
  post: () => ({ method: 'POST' as const, headers: {}, body: '' }),
})
const CALLBACKS = ['delivered', 'sent', 'DELIVRD', 'UNDELIV', 'failed', 'read', 'sms:delivered', 'message.sent']

test.each(['json', 'form', 'query'])('B8, generic by %s: a status is dropped, and no fault', async (sentAs) => {
  await using t = await startTestApp()
  const house = await openWebhookHouse(t, generic({ sentAs }))
  const send = async (fields: Record<string, string>) => {
    const form = new URLSearchParams(fields).toString()
    const body = sentAs === 'json' ? JSON.stringify(fields) : form
    const posted =
      sentAs === 'query' ? { method: 'GET' as const, query: form, body: '' } : { method: 'POST' as const, body }
    expect((await house.send({ ...posted, headers: {} })).status).toBe(200)
    await t.ctx.background.idle()
  }
  for (const status of CALLBACKS) await send({ id: '1', status, to: PHONE, from: '79160000001' })
  expect(await house.states()).toEqual({ ignored: CALLBACKS.length })
  await send({ status: 'delivered', to: PHONE, from: 'Telegram', text: 'Telegram code: 48213' })
  await send({ status: 'received', to: PHONE, from: 'Telegram' })
  expect(await textsOf(t)).toEqual(['Telegram code: 48213'])
  expect(await house.states()).toEqual({ ignored: CALLBACKS.length, processed: 1, unread: 1 })
})

test('B10: a phone that names its number without the country is known by the range', async () => {
  await using t = await startTestApp()
  const house = await openWebhookHouse(t, generic({ sentAs: 'json' }))
  for (const to of [`0${PHONE.slice(1)}`, `00${PHONE}`, `+${PHONE}`]) {
    const body = JSON.stringify({ to, from: 'Telegram', text: `Telegram code: 4821${to.length}` })
    await house.send({ method: 'POST', headers: {}, body })
    await t.ctx.background.idle()
  }
  const { rows } = await t.ctx.db.query({ text: 'SELECT DISTINCT phone FROM messages' })
  expect(rows).toEqual([{ phone: PHONE }])
  expect(await house.states()).toEqual({ processed: 3 })
})
