import { expect, test, vi } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import {
  buyOne,
  count,
  eventsOf,
  expectBooksRight,
  moneyOf,
  pushSms,
  transfersOf,
} from '#test/builders/activation-rows.ts'
import { bookMessage } from '#test/builders/book-message.ts'
import { holdActivation } from '#test/builders/held-row.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { createTestClock } from '#test/harness/test-clock.ts'
import { storeAside } from './queries/store.ts'
import { receiveSms } from './receive-sms.ts'

async function counted(t: TestApp): Promise<Record<string, number>> {
  const { values } = await t.ctx.metrics.smsReceived.get()
  const some = values.filter(({ value }) => value > 0)
  return Object.fromEntries(some.map(({ labels, value }) => [String(labels.result), value]))
}

const PLAIN = 'activation-store-sms-for-only-holder'

async function statementsOf(t: TestApp, takeIn: () => Promise<void>): Promise<string[]> {
  using asked = vi.spyOn(t.ctx.db, 'query')
  await takeIn()
  const names = asked.mock.calls.map(([{ name }]) => name ?? '')
  return names.filter((name) => /-sms\b|^message-/.test(name))
}

test('the same SMS pushed three times, one after another or at once, is one message', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const withId = await buyOne(t, buyer)
  const without = await buyOne(t, buyer)
  const push = { phone: withId.phone, messageId: 'sms-7' }
  await Promise.all([pushSms(t, supplier, push), pushSms(t, supplier, push), pushSms(t, supplier, push)])
  const bare = { phone: without.phone }
  await Promise.all([pushSms(t, supplier, bare), pushSms(t, supplier, bare), pushSms(t, supplier, bare)])
  t.clock.advance(60 * SECOND)
  await pushSms(t, supplier, push)
  expect(await counted(t)).toEqual({ matched: 2, repeated: 5 })
  expect(await count(t.ctx, 'messages')).toBe(2)
  for (const { id } of [withId, without]) {
    expect(await eventsOf(t.ctx, id)).toEqual(['activation.waiting', 'activation.received'])
    expect(await transfersOf(t.ctx, id)).toEqual(['hold', 'capture'])
  }
  expect(await moneyOf(t, buyer)).toEqual({ balance: '74.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})

test('a message that comes again in the next month is charged once, by its id alone', async () => {
  await using t = await startTestApp({ clock: createTestClock('2026-03-31T23:59:59.000Z') })
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  // The index of release 0.1.0 knows ids too; a later release drops it.
  await t.ctx.db.query({ text: 'ALTER TABLE messages DROP CONSTRAINT messages_supplier_id_unique' })
  const { id, phone } = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone, messageId: 'sms-7' })
  t.clock.advance(20 * SECOND)
  const again = { phone, messageId: 'sms-7', text: 'Telegram code: 90909' }
  await Promise.all([pushSms(t, supplier, again), pushSms(t, supplier, { phone, messageId: 'sms-7' })])
  expect(await counted(t)).toEqual({ matched: 1, repeated: 1, reused: 1 })
  expect(await count(t.ctx, 'messages')).toBe(1)
  expect(await transfersOf(t.ctx, id)).toEqual(['hold', 'capture'])
  expect(await eventsOf(t.ctx, id)).toEqual(['activation.waiting', 'activation.received'])
  // Two nodes store at once, past the queue of a process.
  const message = bookMessage({ supplierId: supplier.id, phone, text: 'hello', at: t.clock.now() })
  const store = () => storeAside(t.ctx.db, { message, given: 'unmatched', to: null, code: null })
  const both = await Promise.allSettled([store(), store()])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await expectBooksRight(t.ctx)
})

test('a genuine second SMS with the same text is a message of its own', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser()
  const { id, phone } = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone })
  t.clock.advance(10 * SECOND - 1)
  await pushSms(t, supplier, { phone })
  expect(await count(t.ctx, 'messages')).toBe(1)
  t.clock.advance(1)
  await pushSms(t, supplier, { phone })
  expect(await count(t.ctx, 'messages')).toBe(2)
  t.clock.advance(10 * SECOND)
  await pushSms(t, supplier, { phone, messageId: 'a' })
  await pushSms(t, supplier, { phone, messageId: 'b' })
  expect(await count(t.ctx, 'messages WHERE activation_id = $1', [id])).toBe(4)
  await pushSms(t, supplier, { phone, sender: '+77010000000' })
  await pushSms(t, supplier, { phone, text: 'Telegram code: 48214' })
  expect(await count(t.ctx, 'messages')).toBe(6)
  expect(await transfersOf(t.ctx, id)).toEqual(['hold', 'capture'])
  await expectBooksRight(t.ctx)
})

test('an id that comes again with other words is dropped, counted, and told once a minute, without the words', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('modem')
  const push = (text: string) => pushSms(t, supplier, { phone: '77050000001', messageId: '1', text })
  const told = () => t.log.lines.filter(({ sentence }) => sentence.startsWith('messages were dropped'))
  for (const code of [11111, 22222, 22222, 11111]) await push(`Telegram code: ${code}`)
  expect(await counted(t)).toEqual({ unmatched: 1, reused: 2, repeated: 1 })
  expect(told()).toMatchObject([{ level: 'warn', fields: { supplier: 'modem', messages: 1 } }])
  t.clock.advance(MINUTE)
  await push('Telegram code: 33333')
  expect(told().slice(1)).toMatchObject([{ fields: { supplier: 'modem', messages: 2 } }])
  expect(JSON.stringify(told())).not.toMatch(/22222|33333|7705/)
  expect(await count(t.ctx, 'messages')).toBe(1)
  // Once texts are deleted, a reused message id cannot be told from a repeated message.
  await t.ctx.db.query({ text: 'UPDATE messages SET body = NULL' })
  await push('Telegram code: 44444')
  expect(await counted(t)).toEqual({ unmatched: 1, reused: 3, repeated: 2 })
})

test('one supplier’s message ids mean nothing at another', async () => {
  await using t = await startTestApp()
  const [first, second] = [await t.addFake('one'), await t.addFake('two')]
  await pushSms(t, first, { phone: '77050000001', messageId: '1' })
  await pushSms(t, second, { phone: '77050000001', messageId: '1' })
  expect(await count(t.ctx, 'messages')).toBe(2)
})

test('an SMS for a number nobody holds, or that another supplier sold, is kept and charges nobody', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const other = await t.addFake('other', [])
  const buyer = await t.makeUser({ balance: '100.00' })
  const { id, phone } = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone: '99999999999' })
  await pushSms(t, other, { phone })
  expect(await counted(t)).toEqual({ unmatched: 2 })
  expect(await count(t.ctx, 'messages WHERE activation_id IS NULL')).toBe(2)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '87.00', held: '13.00' })
  expect(await eventsOf(t.ctx, id)).toEqual(['activation.waiting'])
  await expectBooksRight(t.ctx)
})

test('one statement takes in a message for the one holder of its number; all else is looked at closer', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('two', [fakeOffer, { ...fakeOffer, serviceCode: 'wa' }])
  const buyer = await t.makeUser({ balance: '100.00' })
  const { token } = buyer
  const { id, phone } = await buyOne(t, buyer)
  const push = (sms: { phone?: string; text?: string; messageId?: string }) =>
    statementsOf(t, () => pushSms(t, supplier, { phone, ...sms }))
  const [claims, same, store] = ['message-list-claims', 'message-find-same', 'activation-store-sms']

  expect(await push({})).toEqual([PLAIN])
  expect(await push({ text: 'Telegram code: 22222' })).toEqual([PLAIN])
  expect(await push({ messageId: 'a' })).toEqual([PLAIN])
  expect(await push({ messageId: 'a' })).toEqual([PLAIN, 'message-is-reused'])
  expect(await push({})).toEqual([PLAIN, claims, same])
  expect(await counted(t)).toEqual({ matched: 3, repeated: 2 })

  // The same text counts as a new message here, because the buyer requested another code.
  t.clock.advance(SECOND)
  await call(t, 'POST /api/v1/activations/{id}/again', { id }, { token })
  expect(await push({})).toEqual([PLAIN, claims, same, store])
  expect(await push({ phone: '99999999999', messageId: 'b' })).toEqual([PLAIN])
  supplier.onBuy = async (order) => ({ ...supplier.sell(order), phone })
  await call(t, 'POST /api/v1/activations', { service_id: 'wa', country_id: 2 }, { token })
  expect(await push({ messageId: 'c', text: 'Your WhatsApp code: 123-456' })).toEqual([PLAIN, claims, store])
  expect(await counted(t)).toEqual({ matched: 5, repeated: 2, unmatched: 1 })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '74.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})

test('the code is read as the service of the holder writes it', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('two', [fakeOffer, { ...fakeOffer, serviceCode: 'mt' }])
  const { token } = await t.makeUser()
  const { data } = await call(t, 'POST /api/v1/activations', { service_id: 'mt', country_id: 2 }, { token })
  // Only Steam sends codes of letters alone.
  await pushSms(t, supplier, { phone: data.phone ?? '', sender: 'Steam', text: 'Steam Guard code: XKWTQ' })
  const after = await call(t, 'GET /api/v1/activations/{id}', { id: data.id }, { token })
  expect(after.data).toMatchObject({ code: 'XKWTQ', messages: [{ code: 'XKWTQ' }] })
})

test('one number at two suppliers: a message is for the holder at the supplier that handed it over', async () => {
  await using t = await startTestApp()
  const one = await t.addFake('one')
  const other = await t.addFake('other', [{ ...fakeOffer, serviceCode: 'wa' }])
  const buyer = await t.makeUser()
  const telegram = await buyOne(t, buyer)
  other.onBuy = async (order) => ({ ...other.sell(order), phone: telegram.phone })
  const input = { service_id: 'wa', country_id: 2 }
  const whatsapp = await call(t, 'POST /api/v1/activations', input, { token: buyer.token })
  const words = { sender: 'WhatsApp', text: 'Your WhatsApp code: 456-789' }
  const push = () => pushSms(t, other, { phone: telegram.phone, messageId: 'a', ...words })
  expect(await statementsOf(t, push)).toEqual([PLAIN])
  expect(await transfersOf(t.ctx, whatsapp.data.id)).toEqual(['hold', 'capture'])
  expect(await transfersOf(t.ctx, telegram.id)).toEqual(['hold'])
  await pushSms(t, one, { phone: telegram.phone, messageId: 'a' })
  expect(await transfersOf(t.ctx, telegram.id)).toEqual(['hold', 'capture'])
  expect(await counted(t)).toEqual({ matched: 2 })
  await expectBooksRight(t.ctx)
})

test('a text is shown as it came', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('other', [{ ...fakeOffer, serviceCode: 'ot' }])
  const buyer = await t.makeUser()
  const { token } = buyer
  const { id, phone } = (await call(t, 'POST /api/v1/activations', { service_id: 'ot', country_id: 2 }, { token })).data
  const text = `<img src=x onerror=alert(1)>'); DROP TABLE messages; -- «ёлки» 🌲 code 48213`
  await pushSms(t, supplier, { phone: phone ?? '', text, sender: '<b>"\'' })
  const { data } = await call(t, 'GET /api/v1/activations/{id}', { id }, { token })
  expect(data).toMatchObject({
    state: 'received',
    money: 'captured',
    code: '48213',
    messages: [{ text, sender: '<b>"\'' }],
  })
})

test('what no database stores is made storable: NUL, half characters, endless texts, a plus before the number', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser()
  const { phone } = await buyOne(t, buyer)
  await receiveSms(t.ctx, {
    supplierId: supplier.id,
    messageId: `id\0${'x'.repeat(500)}`,
    phone: `+${phone}\0`,
    sender: `\0${'7'.repeat(100)}`,
    text: `код 12345\0\ud83d${'я'.repeat(100_000)}`,
  })
  const { rows } = await t.ctx.db.query<{ phone: string; sender: string; body: string }>({
    text: 'SELECT phone, sender, body FROM messages',
  })
  expect(rows).toMatchObject([{ phone, sender: '7'.repeat(64), body: expect.stringMatching(/^код 12345\ufffdяя/) }])
  expect(rows[0]?.body).toHaveLength(4_000)
})

test('a failure while one message is stored is told to the supplier, and does not block the number', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser()
  const { id, phone } = await buyOne(t, buyer)
  await using row = await holdActivation(t.database.connectionString, id)
  const stuck = pushSms(t, supplier, { phone, messageId: 'a' })
  await row.waiters(1)
  const behind = pushSms(t, supplier, { phone, messageId: 'b', text: 'Telegram code: 22222' })
  const rejected = expect(stuck).rejects.toThrow('terminating connection')
  await t.ctx.db.query({
    text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  })
  await rejected
  await row.release()
  await behind
  await pushSms(t, supplier, { phone, messageId: 'a' })
  const { data } = await call(t, 'GET /api/v1/activations/{id}', { id }, { token: buyer.token })
  expect(data.messages.map((message) => message.code)).toEqual(['48213', '22222'])
  await expectBooksRight(t.ctx)
})

test('messages of one number come live in the order in which they were taken in', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser()
  using live = await listen(t, buyer)
  const { phone } = await buyOne(t, buyer)
  const codes = ['10001', '10002', '10003', '10004', '10005']
  await Promise.all(codes.map((code) => pushSms(t, supplier, { phone, text: `Telegram code: ${code}` })))
  const told: (string | null)[] = []
  for (const _ of codes) told.push((await live.next('NewCode')).message.code)
  expect(told).toEqual(codes)
})

test('a code that comes after the time is over is kept under its activation, late, and not charged', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const { phone } = await buyOne(t, buyer)
  const { sweepExpired } = await import('#server/core/numbers/activations/sweep.ts')
  t.clock.advance(20 * 60 * SECOND)
  expect(await sweepExpired(t.ctx)).toBe(1)
  await pushSms(t, supplier, { phone })
  expect(await count(t.ctx, `messages WHERE given = 'late'`)).toBe(1)
  const { rows } = await t.ctx.db.query<{ available_micros: bigint }>({ text: 'SELECT available_micros FROM accounts' })
  expect(rows).toEqual([{ available_micros: 100_000_000n }])
  await expectBooksRight(t.ctx)
})
