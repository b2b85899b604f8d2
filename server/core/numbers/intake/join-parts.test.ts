import { expect, test } from 'vitest'
import { SECOND } from '#contract/time.ts'
import { buyOne, expectBooksRight } from '#test/builders/activation-rows.ts'
import { SENDERS } from '#test/fakes/webhook/senders.ts'
import { openWebhookHouse, PHONES, type WebhookHouse } from '#test/fakes/webhook/webhook-house.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { processStoredRequests } from './process-request.ts'

const [PHONE = ''] = PHONES
const names = { phone: 'to', sender: 'from', text: 'text' }
const modems = (fields: object = {}) => ({
  settings: { format: 'generic', sentAs: 'form', fields: { ...names, ...fields } },
  post: () => ({ method: 'POST' as const, headers: {}, body: '' }),
})
const numbered = modems({ reference: 'ref', part: 'n', parts: 'of' })

async function textsOf(t: TestApp): Promise<string[]> {
  const { rows } = await t.ctx.db.query<{ body: string }>({ text: 'SELECT body FROM messages ORDER BY id' })
  return rows.map(({ body }) => body)
}

async function send(t: TestApp, house: WebhookHouse, fields: Record<string, string>, { crash = false } = {}) {
  const { run } = t.ctx.background
  if (crash) t.ctx.background.run = () => undefined
  const body = new URLSearchParams({ to: PHONE, from: 'Telegram', ...fields }).toString()
  expect((await house.send({ method: 'POST', headers: {}, body })).status).toBe(200)
  t.ctx.background.run = run
  await t.ctx.background.idle()
}

const LATIN = 'Someone signs in to your account from a new device. '.padEnd(153, 'x')
const CYRILLIC = 'Кто-то входит в ваш аккаунт с нового устройства. '.padEnd(67, 'я')
const EXTENDED = '[Telegram] '.padEnd(151, 'x')
const WHOLE = 'x'.repeat(160)

test.each([
  ['153 letters', [LATIN, 'Telegram code: 48213']],
  ['67 letters of UTF-16, three parts', [CYRILLIC, `${'б'.repeat(65)}. `, 'Код Telegram: 48213']],
  ['letters of the extension count twice', [EXTENDED, 'Telegram code: 48213']],
  ['160 letters, cut without a header', [WHOLE, 'Telegram code: 48213']],
])('parts that a modem hands over one by one are one message: %s', async (_, parts) => {
  await using t = await startTestApp()
  const house = await openWebhookHouse(t, modems())
  const { phone } = await buyOne(t, await t.makeUser())
  for (const text of parts) {
    expect(await textsOf(t)).toEqual([])
    t.clock.advance(9 * SECOND)
    await send(t, house, { to: phone, text })
  }
  const { rows } = await t.ctx.db.query({ text: 'SELECT body, code FROM messages' })
  expect(rows).toEqual([{ body: parts.join(''), code: '48213' }])
  expect(await house.states()).toEqual({ processed: parts.length })
  await expectBooksRight(t.ctx)
})

test('a full text that nothing follows is a message after ten seconds, and what comes later another', async () => {
  await using t = await startTestApp()
  const house = await openWebhookHouse(t, modems())
  await send(t, house, { text: LATIN })
  t.clock.advance(10 * SECOND - 1)
  await processStoredRequests(t.ctx)
  expect(await textsOf(t)).toEqual([])
  t.clock.advance(1)
  await processStoredRequests(t.ctx)
  expect(await textsOf(t)).toEqual([LATIN])
  await send(t, house, { text: 'Telegram code: 48213' })
  expect(await textsOf(t)).toEqual([LATIN, 'Telegram code: 48213'])
})

test('neither a short text, nor one of another sender or number, nor a repeat goes on', async () => {
  await using t = await startTestApp()
  const house = await openWebhookHouse(t, modems())
  await send(t, house, { text: 'Hello' })
  await send(t, house, { text: LATIN })
  await send(t, house, { text: LATIN })
  await send(t, house, { text: 'of another', from: 'Other' })
  await send(t, house, { text: 'to another', to: PHONES[1] ?? '' })
  expect(await textsOf(t)).toEqual(['Hello', 'of another', 'to another'])
  await send(t, house, { text: 'end' })
  expect((await textsOf(t)).slice(3)).toEqual([`${LATIN}end`])
  expect(await house.states()).toEqual({ processed: 6 })
})

test('parts that are numbered are joined in any order, at once or twice; those of other messages stay apart', async () => {
  await using t = await startTestApp()
  const house = await openWebhookHouse(t, numbered)
  const part = (ref: string, n: number, of = 3) => ({ ref, n: String(n), of: String(of), text: `<${ref}${n}>` })
  const order = [part('a', 3), part('b', 1, 2), part('a', 1), part('a', 1), part('b', 2, 2)]
  await Promise.all(order.map((fields) => send(t, house, fields)))
  await send(t, house, part('a', 2))
  expect((await textsOf(t)).toSorted()).toEqual(['<a1><a2><a3>', '<b1><b2>'])
  await send(t, house, { ...part('c', 4), text: 'four of three' })
  await send(t, house, { text: 'without numbers' })
  expect((await textsOf(t)).slice(2)).toEqual(['four of three', 'without numbers'])
  expect(await house.states()).toEqual({ processed: order.length + 3 })
})

test('parts that stay away leave a gap after ten seconds', async () => {
  await using t = await startTestApp()
  const house = await openWebhookHouse(t, numbered)
  await send(t, house, { ref: '1', n: '4', of: '5', text: 'D' })
  await send(t, house, { ref: '1', n: '1', of: '5', text: 'A' })
  t.clock.advance(10 * SECOND)
  await processStoredRequests(t.ctx)
  expect(await textsOf(t)).toEqual(['A…D…'])
})

test('a crash between parts loses none, and one after the hand-over shows none twice', async () => {
  await using t = await startTestApp()
  const house = await openWebhookHouse(t, modems())
  await send(t, house, { text: LATIN })
  await send(t, house, { text: 'Telegram code: 48213' }, { crash: true })
  t.clock.advance(10 * SECOND)
  await Promise.all([processStoredRequests(t.ctx), processStoredRequests(t.ctx)])
  expect(await textsOf(t)).toEqual([`${LATIN}Telegram code: 48213`])
  expect(await house.states()).toEqual({ processed: 2 })

  await send(t, house, { text: LATIN }, { crash: true })
  await send(t, house, { text: 'another' }, { crash: true })
  t.clock.advance(10 * SECOND)
  const bodies = await t.ctx.db.query<{ id: bigint; body: Buffer }>({
    text: `SELECT id, body FROM intake_requests WHERE state = 'stored' ORDER BY id`,
  })
  await processStoredRequests(t.ctx)
  for (const values of bodies.rows) {
    const text = `UPDATE intake_requests SET state = 'stored', settled_at = NULL, body = $body WHERE id = $id`
    await t.ctx.db.query({ text, values })
  }
  await processStoredRequests(t.ctx)
  expect((await textsOf(t)).slice(1)).toEqual([`${LATIN}another`])
})

test('apps that join the parts themselves wait for nothing', async () => {
  await using t = await startTestApp()
  const { androidSmsGateway: sender } = SENDERS
  if (sender === undefined) throw new Error('there is no such sender')
  const house = await openWebhookHouse(t, sender)
  await house.post({ text: LATIN })
  expect(await textsOf(t)).toEqual([LATIN])
})

test.each([
  ['1', '\u0001\u0006', 'binary'],
  ['1', 'Telegram code: 48213', undefined],
  ['8-bit', '48213', 'binary'],
  ['0', '\u0001\u0006', undefined],
  ['2', '48213', undefined],
])('B1: the generic form says of coding %s and %j that it is %s', async (coding, text, notText) => {
  await using t = await startTestApp()
  const house = await openWebhookHouse(t, modems({ coding: 'coding' }))
  const body = Buffer.from(new URLSearchParams({ to: PHONE, from: 'Bank', text, coding }).toString())
  const request = { method: 'POST', url: '?', headers: {}, body, receivedAt: t.clock.now(), requestId: 1n }
  const reading = await house.supplier.intake?.read(request)
  expect(reading).toMatchObject({ outcome: 'messages', messages: [{ text, sender: 'Bank' }] })
  expect(reading?.outcome === 'messages' && reading.messages[0]?.notText).toBe(notText)
})
