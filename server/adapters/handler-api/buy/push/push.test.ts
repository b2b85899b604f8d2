import { expect, test, vi } from 'vitest'
import { addField, orderOf, signal } from '#test/builders/suppliers/handler-api-supplier.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

const KEY = 'k'.repeat(40)
const LIMIT = { timeout: 10_000, interval: 10 }

/** The poll interval is so long that only a push causes a poll. */
const open = (t: TestApp, dialect: 'sms-activate' | 'hero-sms' | 'smsbower' | 'daisy') =>
  addField(t, dialect, { pollSeconds: 60, intakeKey: KEY })

const push = (t: TestApp, dialect: string, body: unknown, key = KEY) =>
  t.fetch(`/intake/${dialect}/${key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

async function textsOf(t: TestApp): Promise<string[]> {
  const { rows } = await t.ctx.db.query<{ body: string }>({ text: 'SELECT body FROM messages ORDER BY id' })
  return rows.map(({ body }) => body)
}

test.each([
  ['sms-activate', 'Telegram code: 48213'],
  ['hero-sms', 'Telegram code: 48213'],
  ['smsbower', '48213'],
  ['daisy', '48213'],
] as const)('%s: a push is a hint to look now, and what it says of a code is not believed', async (dialect, told) => {
  await using t = await startTestApp()
  await using field = await open(t, dialect)
  const { house, supplier } = field
  await supplier.buy(orderOf(t, '1-1'), signal)
  const [sold] = house.sold.values()
  house.send('Telegram code: 48213')
  const reply = await push(t, dialect, { activationId: Number(sold?.id), service: 'tg', text: 'Code 666', code: '666' })
  expect([reply.status, await reply.text()]).toEqual([200, 'OK'])
  await vi.waitUntil(async () => (await textsOf(t)).length > 0, LIMIT)
  expect(await textsOf(t)).toEqual([told])
  const looks = house.asked.length
  await push(t, dialect, { activationId: sold?.id, code: '666' })
  await vi.waitUntil(() => house.asked.length > looks, LIMIT)
  await supplier.stop()
  expect(await textsOf(t)).toEqual([told])
  expect(house.complaints).toEqual([])
})

test('pushes of nobody’s numbers and garbage make no look; many pushes make few', async () => {
  await using t = await startTestApp()
  await using field = await open(t, 'sms-activate')
  const { house, supplier } = field
  await supplier.buy(orderOf(t, '1-1'), signal)
  const [sold] = house.sold.values()
  const looks = () => house.asked.filter(({ action }) => action === 'getActiveActivations').length
  const bodies = ['', '[]', 'null', '{', '{"activationId":{}}', '{"activationId":"7"}', '{"rentId":"1"}', '\u0000']
  for (const body of bodies) expect((await push(t, 'sms-activate', body)).status).toBe(200)
  expect((await push(t, 'sms-activate', { activationId: sold?.id }, `${KEY}x`)).status).toBe(404)
  expect((await t.fetch(`/intake/sms-activate/${KEY}?activationId=${sold?.id}`)).status).toBe(403)
  await t.ctx.background.idle()
  expect(looks()).toBe(0)
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => push(t, 'sms-activate', { activationId: sold?.id })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  await t.ctx.background.idle()
  await vi.waitUntil(() => looks() > 0, LIMIT)
  expect(looks()).toBeLessThan(20)
  const { rows } = await t.ctx.db.query({
    text: `SELECT DISTINCT state, reason FROM intake_requests WHERE state <> 'refused' ORDER BY reason`,
  })
  expect(rows).toEqual([
    { state: 'ignored', reason: '1-1 is looked at' },
    { state: 'ignored', reason: 'it names no activation' },
    { state: 'ignored', reason: 'it names no open number of ours' },
  ])
})

test('without the setting no push is taken, and a dialect that pushes nothing refuses it', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'sms-activate')
  expect(field.supplier.intake).toBeUndefined()
  expect((await push(t, 'sms-activate', {})).status).toBe(404)
  await expect(addField(t, 'tiger', { intakeKey: KEY })).rejects.toThrow(
    'intakeKey: a service of the dialect tiger pushes nothing',
  )
})
