import { verifySignature } from '@vonage/jwt'
import Telnyx from 'telnyx'
import { expect, test } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { buyOne } from '#test/builders/activation-rows.ts'
import { type Posted, SENDER_SECRET, SENDERS, TELNYX_PUBLIC_KEY } from '#test/fakes/webhook/senders.ts'
import { openWebhookHouse, PHONES } from '#test/fakes/webhook/webhook-house.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'

const senders = Object.entries(SENDERS)
/** Kannel signs nothing: only the secret address of the webhook authenticates its requests. */
const signing = senders.filter(([name]) => name !== 'kannel')

async function textsOf(t: TestApp) {
  const { rows } = await t.ctx.db.query<{ phone: string; sender: string; body: string; given: string }>({
    text: 'SELECT phone, sender, body, given FROM messages ORDER BY id',
  })
  return rows
}

test.each(senders)(
  '%s: a code reaches its buyer live; other numbers and other events charge nobody',
  async (_, sender) => {
    await using t = await startTestApp()
    const house = await openWebhookHouse(t, sender)
    const buyer = await t.makeUser()
    using tab = await listen(t, buyer)
    const { id, phone } = await buyOne(t, buyer)

    const text = 'Ваш код Telegram: 48213 😀 + & = %41 "q"'
    const reply = await house.post({ to: phone, text, from: 'Telegram' })
    expect(reply.status).toBe(200)
    expect(await tab.next('NewCode')).toMatchObject({ record: { id }, message: { code: '48213', text } })
    expect(await reply.text()).toBe(
      sender === SENDERS.twilio ? '<?xml version="1.0" encoding="UTF-8"?><Response/>' : '',
    )
    expect((await house.post({ to: '77010000000' })).status).toBe(200)
    expect(await textsOf(t)).toEqual([
      { phone, sender: 'Telegram', body: text, given: 'named' },
      { phone: '77010000000', sender: 'Telegram', body: 'Telegram code: 48213', given: 'unmatched' },
    ])
    expect(await house.states()).toEqual({ processed: 2 })
    const { rows } = await t.ctx.db.query({ text: 'SELECT body, query, headers::text FROM intake_requests' })
    expect(JSON.stringify(rows)).not.toContain('48213')
    expect(rows).toMatchObject([
      { body: null, query: '' },
      { body: null, query: '' },
    ])
  },
)

test.each(signing)(
  '%s: a wrong signature, another body, no signature, another key and garbage are refused',
  async (_, sender) => {
    await using t = await startTestApp()
    const house = await openWebhookHouse(t, sender)
    const without = (posted: Posted): Posted => ({ ...posted, headers: { 'content-type': 'application/json' } })
    const tampered = (posted: Posted): Posted => ({
      ...posted,
      headers: Object.fromEntries(
        Object.entries(posted.headers).map(([name, value]) => [name, /sig|auth/.test(name) ? flipped(value) : value]),
      ),
    })
    // The token of httpSMS does not cover the body.
    const changes = [
      without,
      tampered,
      ...(sender === SENDERS.httpSms ? [] : [(one: Posted) => ({ ...one, body: `${one.body} ` })]),
    ]
    for (const change of changes) expect((await house.post({}, change)).status).toBe(403)
    for (const body of ['', 'x', '{', '\u0000'.repeat(100)]) {
      expect((await house.post({}, (one) => without({ ...one, body }))).status).toBe(403)
    }
    expect(await textsOf(t)).toEqual([])
    expect(await house.states()).toEqual({ refused: changes.length + 4 })
  },
)

function flipped(value: string): string {
  const at = value.length - 6
  return `${value.slice(0, at)}${value[at] === 'a' ? 'b' : 'a'}${value.slice(at + 1)}`
}

test.each(signing.filter(([name]) => name !== 'twilio'))(
  '%s: a signature of another time is refused, a replay of this one answered and dropped',
  async (_, sender) => {
    await using t = await startTestApp()
    const house = await openWebhookHouse(t, sender)
    const at = t.clock.now()
    const [to = ''] = PHONES
    const message = { to, from: 'Telegram', text: 'Telegram code: 48213', id: 'only', at }
    const posted = sender.post(message, { address: house.address, at })
    expect((await house.send(posted)).status).toBe(200)
    expect((await house.send(posted)).status).toBe(200)
    await t.ctx.background.idle()
    expect(await textsOf(t)).toHaveLength(1)
    expect((await t.ctx.db.query({ text: 'SELECT state, repeats FROM intake_requests' })).rows).toEqual([
      { state: 'processed', repeats: 1 },
    ])
    t.clock.advance(20 * SECOND)
    expect((await house.send(sender.post(message, { address: house.address, at: t.clock.now() }))).status).toBe(200)
    await t.ctx.background.idle()
    expect(await textsOf(t)).toHaveLength(1)

    t.clock.advance(6 * MINUTE)
    expect((await house.send(posted)).status).toBe(403)
    const ahead = new Date(t.clock.now().getTime() + 6 * MINUTE)
    expect(
      (await house.send(sender.post({ ...message, id: 'later' }, { address: house.address, at: ahead }))).status,
    ).toBe(403)
    expect(await textsOf(t)).toHaveLength(1)
  },
)

test('Twilio signs no time: a replay is known by the id of its message, however late', async () => {
  await using t = await startTestApp()
  const sender = SENDERS.twilio
  if (sender === undefined) throw new Error('there is no such sender')
  const house = await openWebhookHouse(t, sender)
  for (const days of [0, 0, 40]) {
    t.clock.advance(days * 24 * 60 * MINUTE)
    expect((await house.post({ id: 'SM1' })).status).toBe(200)
  }
  expect(await textsOf(t)).toHaveLength(1)
  const many = Array.from({ length: 20_000 }, (_, index) => index.toString(36)).join('&')
  expect((await house.post({}, (posted) => ({ ...posted, body: many.slice(0, 60_000) }))).status).toBe(403)
  const { rows } = await t.ctx.db.query({ text: `SELECT reason FROM intake_requests WHERE state = 'refused'` })
  expect(rows).toEqual([{ reason: 'there are more than 100 fields' }])
})

test('what the senders here sign is what the libraries of their vendors take for genuine', async () => {
  const at = new Date()
  const [to = ''] = PHONES
  const message = { to, from: '+15550001', text: 'Код 48213', id: 'm', at }
  const sent = { address: 'https://ringpost.test/intake/phones/key', at }
  const bearer = SENDERS.vonage?.post(message, sent).headers.authorization ?? ''
  expect(verifySignature(bearer.replace('Bearer ', ''), SENDER_SECRET)).toBe(true)
  const posted = SENDERS.telnyx?.post(message, sent) ?? { body: '', headers: {} }
  const webhooks = new Telnyx({ apiKey: 'none', publicKey: TELNYX_PUBLIC_KEY }).webhooks
  const { body, headers } = posted
  expect(await webhooks.unwrap(body, { headers })).toMatchObject({ data: { event_type: 'message.received' } })
  await expect(webhooks.unwrap(`${body} `, { headers })).rejects.toThrow()
})
