import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { openWebhookHouse, PHONES } from '#test/fakes/webhook/webhook-house.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

const [PHONE = ''] = PHONES
const unsigned = { post: () => ({ method: 'POST' as const, headers: {}, body: '' }) }

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

const FIELDS = { phone: 'to', sender: 'from', text: 'msg.text' }
const WORDS = { to: PHONE, from: 'Telegram', msg: { text: 'Telegram code: 48213' } }
const json = JSON.stringify(WORDS)
const hmacOf = (body: string) => createHmac('sha256', 'a long secret').update(body).digest('hex')

test.each([
  [
    'a header',
    { by: 'header', header: 'X-Token', values: ['an older one', 'a long secret'] },
    { 'x-token': 'a long secret' },
    { 'x-token': 'a long' },
  ],
  [
    'user and password',
    { by: 'basic', user: 'bank', password: 'a long secret' },
    { authorization: `Basic ${btoa('bank:a long secret')}` },
    { authorization: `Basic ${btoa('bank:a')}` },
  ],
  [
    'a signature',
    { by: 'hmac', header: 'X-Hub', prefix: 'sha256=', secrets: ['a long secret'] },
    { 'x-hub': `sha256=${hmacOf(json)}` },
    { 'x-hub': hmacOf(json) },
  ],
])('the generic form: %s', async (_, auth, right, wrong) => {
  await using t = await startTestApp()
  const settings = {
    format: 'generic',
    sentAs: 'json',
    fields: FIELDS,
    auth,
    reply: { type: 'application/json', text: '{"ok":1}' },
  }
  const house = await openWebhookHouse(t, { ...unsigned, settings })
  const send = (headers: Record<string, string>, body = json) => house.send({ method: 'POST', headers, body })
  expect((await send({})).status).toBe(403)
  expect((await send(wrong)).status).toBe(403)
  const reply = await send(right)
  expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([
    200,
    expect.stringMatching(/^application\/json/),
    '{"ok":1}',
  ])
  await t.ctx.background.idle()
  expect(await messagesOf(t)).toEqual([`${PHONE} Telegram Telegram code: 48213 unmatched`])
  expect((await house.send({ method: 'GET', query: '', headers: right, body: '' })).status).toBe(403)
})

test('the time that a signature covers has one form: zeros moved to it from the end of the body make no second message', async () => {
  await using t = await startTestApp()
  const auth = { by: 'hmac', header: 'x-hub', secrets: ['a long secret'], timeHeader: 'x-time' }
  const settings = { format: 'generic', sentAs: 'form', fields: { phone: 'to', sender: 'from', text: 'text' }, auth }
  const house = await openWebhookHouse(t, { ...unsigned, settings })
  const time = String(Math.floor(t.clock.now().getTime() / 1000))
  const body = `to=${PHONE}&from=Telegram&text=Telegram+code+48200`
  const send = async (moved: number) => {
    const headers = { 'x-hub': hmacOf(body + time), 'x-time': `${'0'.repeat(moved)}${time}` }
    return (await house.send({ method: 'POST', headers, body: body.slice(0, body.length - moved) })).status
  }
  expect([await send(0), await send(1), await send(2)]).toEqual([200, 403, 403])
  await t.ctx.background.idle()
  expect(await messagesOf(t)).toHaveLength(1)
})

test('the generic form takes any character set and any time; garbage that is genuine is kept, with what is wrong with it', async () => {
  await using t = await startTestApp()
  const settings = {
    format: 'generic',
    sentAs: 'form',
    charset: 'windows-1251',
    fields: { phone: 'to', sender: 'from', text: 'text', time: 'at' },
  }
  const house = await openWebhookHouse(t, { ...unsigned, settings })
  const send = async (body: string) => {
    expect((await house.send({ method: 'POST', headers: {}, body })).status).toBe(200)
    await t.ctx.background.idle()
  }
  await send(`to=%2B${PHONE}&from=Telegram&text=%CA%EE%E4+%3A+48213`)
  for (const garbage of ['', '&&&=', 'text', '%', 'to=1&text=%ZZ', `to=&from=x&text=no`, `to=abc&from=x&text=no`])
    await send(garbage)
  expect(await messagesOf(t)).toEqual([`${PHONE} Telegram Код : 48213 unmatched`])
  expect((await reasonsOf(t)).slice(1)).toEqual([
    'there is no text',
    'there is no text',
    'there is no from',
    'there is no text',
    'there is no from',
    'it names no number',
    'it names no number',
  ])
  const old = Math.floor(t.clock.now().getTime() / 1_000) - 7_200
  for (const [index, at] of [old, old * 1_000, new Date(old * 1_000).toISOString(), 'yesterday'].entries()) {
    await send(`to=${PHONE}&from=a&text=${index}&at=${at}`)
  }
  const { rows } = await t.ctx.db.query<{ old: boolean }>({
    text: `SELECT received_at <= $1 AS old FROM messages WHERE sender = 'a' ORDER BY id`,
    values: [new Date(old * 1_000)],
  })
  expect(rows.map((row) => row.old)).toEqual([true, true, true, false])
})
