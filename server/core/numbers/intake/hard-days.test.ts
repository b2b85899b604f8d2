import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { KIBIBYTE, MINUTE, SECOND } from '#contract/time.ts'
import { buyOne, expectBooksRight } from '#test/builders/activation-rows.ts'
import { rentOne } from '#test/builders/rental-rows.ts'
import { type Posted, SENDERS, type Sender } from '#test/fakes/webhook/senders.ts'
import { INTAKE_KEY, openWebhookHouse, PHONES, type WebhookHouse } from '#test/fakes/webhook/webhook-house.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { processStoredRequests } from './process-request.ts'

const senderOf = (name: string): Sender => {
  const sender = SENDERS[name]
  if (sender === undefined) throw new Error(`there is no sender ${name}`)
  return sender
}
const android = senderOf('androidSmsGateway')
const kannel = senderOf('kannel')
const [PHONE = ''] = PHONES

async function messagesOf(t: TestApp): Promise<string[]> {
  const { rows } = await t.ctx.db.query<{ line: string }>({
    text: `SELECT phone || ' ' || sender || ' ' || body || ' ' || given AS line FROM messages ORDER BY id`,
  })
  return rows.map(({ line }) => line)
}

async function reasonsOf(t: TestApp): Promise<(string | null)[]> {
  const { rows } = await t.ctx.db.query<{ reason: string | null }>({
    text: 'SELECT reason FROM intake_requests ORDER BY id',
  })
  return rows.map(({ reason }) => reason)
}

/** Stores a request without processing it, like a process that is killed after the insert. */
async function storeOnly(t: TestApp, house: WebhookHouse, posted: Posted): Promise<void> {
  const { run } = t.ctx.background
  t.ctx.background.run = () => undefined
  expect((await house.send(posted)).status).toBe(200)
  t.ctx.background.run = run
}

test('a phone that names no number is known by the card in its slot; a card that nobody put in is kept for a person', async () => {
  await using t = await startTestApp()
  const house = await openWebhookHouse(t, android)
  const device = 'ffffffffceb0b1db0000018e937c815b'
  const unnamed = (slot: number) => (posted: Posted) => {
    const event = JSON.parse(posted.body) as { payload: Record<string, unknown> }
    event.payload = { ...event.payload, recipient: null, simNumber: slot }
    return resigned({ ...posted, body: JSON.stringify(event) })
  }
  await typed(t.database, 'sim:add', 'phones', PHONES[1] ?? '', '2', 'altel', '--device', device, '--slot', '2', ...WHY)
  expect((await house.post({}, unnamed(2))).status).toBe(200)
  expect((await house.post({}, unnamed(1))).status).toBe(200)
  expect(await messagesOf(t)).toEqual([`${PHONES[1]} Telegram Telegram code: 48213 unmatched`])
  expect(await reasonsOf(t)).toEqual([null, `it names no number, and no card is known of the device ${device}, slot 1`])
  expect((await typed(t.database, 'sim:list')).out).toContain(`last SMS ${t.clock.now().toISOString()}`)
  await typed(t.database, 'sim:retire', PHONES[1] ?? '', ...WHY)
  await house.post({ text: 'Telegram code: 11111' }, unnamed(2))
  expect(await messagesOf(t)).toHaveLength(1)
})

function resigned(posted: Posted): Posted {
  const timestamp = posted.headers['x-timestamp'] ?? ''
  const signature = createHmac('sha256', 'a signing key of the tests')
    .update(posted.body + timestamp)
    .digest('hex')
  return { ...posted, headers: { ...posted.headers, 'x-signature': signature } }
}

test('the same words under another id are one message within ten seconds, and two after another code was asked for', async () => {
  await using t = await startTestApp()
  const house = await openWebhookHouse(t, android)
  const buyer = await t.makeUser()
  const { id, phone } = await buyOne(t, buyer)
  await house.post({ to: phone })
  t.clock.advance(5 * SECOND)
  await house.post({ to: phone })
  expect(await messagesOf(t)).toHaveLength(1)
  await call(t, 'POST /api/v1/activations/{id}/again', { id }, { token: buyer.token })
  t.clock.advance(SECOND)
  await house.post({ to: phone })
  expect(await messagesOf(t)).toHaveLength(2)
  t.clock.advance(11 * SECOND)
  await house.post({ to: phone })
  expect(await messagesOf(t)).toHaveLength(3)
  expect(await house.states()).toEqual({ processed: 4 })
})

test('a message that waited at its phone is for whoever had the number then, not for who has it now', async () => {
  await using t = await startTestApp()
  const house = await openWebhookHouse(t, android)
  const at = t.clock.now()
  t.clock.advance(10 * MINUTE)
  const { phone } = await buyOne(t, await t.makeUser())
  await house.post({ to: phone, text: 'Telegram code: 11111', at })
  await house.post({ to: phone, text: 'Telegram code: 22222' })
  expect(await messagesOf(t)).toEqual([
    `${phone} Telegram Telegram code: 11111 unmatched`,
    `${phone} Telegram Telegram code: 22222 named`,
  ])
  await expectBooksRight(t.ctx)
})

test('a rented number has every message that comes to it', async () => {
  await using t = await startTestApp()
  const house = await openWebhookHouse(t, android, { rent: [{ code: 'full', cost: { '24': '30' } }] })
  const rental = await rentOne(t, await t.makeUser({ balance: '1000' }))
  await house.post({ to: rental.phone, from: 'Anna', text: 'See you at five' })
  await house.post({ to: rental.phone, from: 'WhatsApp', text: 'WhatsApp code: 123-456' })
  expect(await messagesOf(t)).toEqual([
    `${rental.phone} Anna See you at five only-holder`,
    `${rental.phone} WhatsApp WhatsApp code: 123-456 named`,
  ])
  await expectBooksRight(t.ctx)
})

test('what a crash left between storing and reading is read once by the next process, and goes to whoever it was for', async () => {
  await using t = await startTestApp()
  const house = await openWebhookHouse(t, kannel)
  const buyer = await t.makeUser()
  const { id, phone } = await buyOne(t, buyer)
  const posted = (text: string) =>
    kannel.post({ to: phone, from: 'Telegram', text, id: text, at: t.clock.now() }, { address: '', at: t.clock.now() })
  await storeOnly(t, house, posted('Telegram code: 48213'))
  t.clock.advance(2 * MINUTE)
  await Promise.all([processStoredRequests(t.ctx), processStoredRequests(t.ctx)])
  expect(await messagesOf(t)).toEqual([`${phone} Telegram Telegram code: 48213 named`])
  expect(await house.states()).toEqual({ processed: 1 })

  await t.ctx.db.query({
    text: `UPDATE intake_requests SET state = 'stored', settled_at = NULL, query = $1`,
    values: [posted('Telegram code: 48213').query],
  })
  await processStoredRequests(t.ctx)
  expect(await messagesOf(t)).toHaveLength(1)

  await storeOnly(t, house, posted('Telegram code: 99999'))
  await call(t, 'POST /api/v1/activations/{id}/finish', { id }, { token: buyer.token })
  t.clock.advance(2 * MINUTE)
  await processStoredRequests(t.ctx)
  expect((await messagesOf(t)).at(-1)).toBe(`${phone} Telegram Telegram code: 99999 late`)
  await expectBooksRight(t.ctx)
})

test('one that cannot be handed over holds up no other, and is given up in the end', async () => {
  await using t = await startTestApp()
  const house = await openWebhookHouse(t, kannel)
  for (const text of ['first', 'second']) {
    await storeOnly(t, house, { method: 'GET', query: `to=${PHONE}&from=a&text=${text}`, headers: {}, body: '' })
  }
  t.clock.advance(MINUTE)
  const { intake } = house.supplier
  if (intake === undefined) throw new Error('nothing comes in')
  const { read } = intake
  intake.read = (request) => (request.url.includes('first') ? Promise.reject(new Error('no')) : read(request))
  await processStoredRequests(t.ctx)
  expect(await house.states()).toEqual({ processed: 1, stored: 1 })
  await t.ctx.db.query({ text: 'UPDATE intake_requests SET tries = 720 WHERE tries = 1 AND settled_at IS NULL' })
  await processStoredRequests(t.ctx)
  expect(await reasonsOf(t)).toEqual(['it could not be handed over 720 times', null])
  expect(await messagesOf(t)).toHaveLength(1)
})

test.each([
  ['{"event":"sms:\\u0000received"}', 'the event is sms:received, not sms:received', 'ignored'],
  ['{"event":"sms:received","payload":{"message":"x"}}', 'payload has no message or sender', 'unread'],
  ['{"event":"sms:received","payload":[1]}', 'payload has no message or sender', 'unread'],
  ['[]', 'the body is not a JSON object', 'unread'],
  ['null', 'the body is not a JSON object', 'unread'],
  ['\ud800', 'the body is not a JSON object', 'unread'],
  [
    '{"event":"sms:received","deviceId":"\\u0000","payload":{"message":"\\u0000\\ud800","phoneNumber":"x","simNumber":1}}',
    'it names no number, and no card is known of the device , slot 1',
    'unread',
  ],
])('garbage that is signed is kept, with what is wrong with it: %s', async (body, reason, state) => {
  await using t = await startTestApp()
  const house = await openWebhookHouse(t, android)
  expect((await house.post({}, (posted) => resigned({ ...posted, body }))).status).toBe(200)
  expect(await reasonsOf(t)).toEqual([reason])
  expect(await house.states()).toEqual({ [state]: 1 })
  expect((await house.supplier.test?.())?.map(({ works }) => works)).toEqual([state !== 'unread', true, true])
})

test('one message posted a hundred times at once is one, and every answer is good', async () => {
  await using t = await startTestApp()
  const house = await openWebhookHouse(t, android)
  const { phone } = await buyOne(t, await t.makeUser())
  const at = t.clock.now()
  const posted = android.post(
    { to: phone, from: 'Telegram', text: 'Telegram code: 48213', id: 'one', at },
    { address: '', at },
  )
  const statuses = await Promise.all(Array.from({ length: 100 }, () => house.send(posted).then(({ status }) => status)))
  await t.ctx.background.idle()
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await messagesOf(t)).toHaveLength(1)
  const { rows } = await t.ctx.db.query({ text: 'SELECT repeats FROM intake_requests' })
  expect(rows).toEqual([{ repeats: 99 }])
})

test('another address is not there, whatever is posted; what is too long is refused; no log and no row has the key', async () => {
  await using t = await startTestApp()
  const house = await openWebhookHouse(t, android)
  const post = (path: string, body = '{}') => t.fetch(path, { method: 'POST', body })
  for (const path of ['phones/x', `nobody/${INTAKE_KEY}`, `phones/${INTAKE_KEY}x`, `phones/${INTAKE_KEY.slice(1)}`]) {
    expect((await post(`/intake/${path}`)).status).toBe(404)
  }
  await t.addFake()
  expect((await post(`/intake/fake/${INTAKE_KEY}`)).status).toBe(404)
  expect((await t.fetch(`/intake/phones/${INTAKE_KEY}`, { method: 'HEAD' })).status).toBe(404)
  expect((await t.fetch(`/intake/phones/${INTAKE_KEY}`, { method: 'PUT', body: 'x' })).status).toBe(404)
  expect(await house.states()).toEqual({})
  expect((await post(`/intake/phones/${INTAKE_KEY}`, 'x'.repeat(65 * KIBIBYTE))).status).toBe(413)
  await post(`/intake/phones/${INTAKE_KEY}?a=1`)
  await house.post({})
  const { rows } = await t.ctx.db.query({ text: 'SELECT r::text FROM intake_requests r' })
  expect(JSON.stringify([rows, t.log.lines])).not.toContain(INTAKE_KEY)
})

test('forged requests fill no disk and lock nobody out; a genuine flood is slowed', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  const house = await openWebhookHouse(t, android)
  const forge = (from: string) => (posted: Posted) => ({ ...posted, headers: { 'x-forwarded-for': from } })
  const statuses: number[] = []
  for (let turn = 0; turn < 40; turn += 1) statuses.push((await house.post({}, forge('203.0.113.9'))).status)
  expect(statuses.slice(29)).toEqual([403, ...Array.from({ length: 10 }, () => 429)])
  await Promise.all(
    Array.from({ length: 300 }, (_, turn) => house.post({}, forge(`198.18.${turn % 250}.${Math.floor(turn / 250)}`))),
  )
  expect(await house.states()).toEqual({ refused: 300 })
  expect((await house.post({})).status).toBe(200)

  const { rows } = await t.ctx.db.query<{ sum: number }>({
    text: 'SELECT sum(length(body))::integer AS sum FROM intake_requests',
  })
  expect(rows[0]?.sum).toBeLessThan(300 * KIBIBYTE)
  const genuine = await Promise.all(
    Array.from({ length: 1_010 }, (_, turn) => house.post({ to: PHONE, text: `Telegram code: ${10_000 + turn}` })),
  )
  const refused = genuine.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]?.headers.get('retry-after')).toBe('1')
})

test('supplier:test says what came last, why the last one was refused, and how many numbers there are', async () => {
  await using t = await startTestApp()
  const house = await openWebhookHouse(t, android)
  const lines = async () => (await house.supplier.test?.())?.map(({ works, says }) => `${works} ${says}`)
  expect(await lines()).toEqual(['false none that was genuine has come yet', 'true none was refused', 'true 3 on sale'])
  await house.post({}, (one) => ({ ...one, headers: { 'x-signature': 'a', 'x-timestamp': '1' } }))
  const at = t.clock.now().toISOString()
  expect((await lines())?.[1]).toBe(`false the last one refused: ${at} from 127.0.0.1: refused, X-Signature is wrong`)
  t.clock.advance(SECOND)
  await house.post({})
  expect((await lines())?.slice(0, 2)).toEqual([
    `true ${t.clock.now().toISOString()} from 127.0.0.1: processed`,
    `true the last one refused: ${at} from 127.0.0.1: refused, X-Signature is wrong`,
  ])
})
