import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { readRows } from '#server/core/privacy/export/row-queries.ts'
import { NUMBER_SECTIONS } from '#server/core/privacy/sections/numbers.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { buyOne, count, expectBooksRight, moneyOf, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting, readRental, rentOne } from '#test/builders/rental-rows.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { typed, WHY } from '#test/harness/typed.ts'

const read = async (t: TestApp, user: TestUser, id: number) =>
  (await call(t, 'GET /api/v1/activations/{id}', { id }, user)).data

const WITHOUT_WORDS = { sender: '', text: '', code: null, late: true, withheld: true }

test('a code that comes after the buyer cancelled is shown to him nowhere, and stays with staff', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const { id, phone } = await buyOne(t, buyer)
  t.clock.advance(2 * MINUTE)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id }, buyer)
  using live = await listen(t, buyer)
  await pushSms(t, supplier, { phone, sender: '48213', text: 'Telegram code: 48213' })
  const record = await read(t, buyer, id)
  expect(record).toMatchObject({ state: 'cancelled', money: 'released', code: null, messages: [WITHOUT_WORDS] })
  const key = await t.makeApiKey(buyer)
  const answerTo = async (path: string) => {
    const response = await t.fetch(path, { token: buyer.token })
    expect([path, response.status]).toEqual([path, 200])
    return response.text()
  }
  const asked = await Promise.all([
    ...['getStatus', 'getStatusV2', 'getFullSms', 'getActiveActivations'].map((action) =>
      answerTo(`/stubs/handler_api.php?api_key=${key}&action=${action}&id=${id}`),
    ),
    ...['/api/v1/history', '/api/v1/history.csv', `/api/v1/activations/${id}`].map(answerTo),
    exported(t, buyer),
  ])
  for (const answer of asked) expect(answer).not.toContain('48213')
  const next = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone: next.phone, text: 'Telegram code: 55555' })
  expect((await live.next('NewCode')).message.code).toBe('55555')
  expect(await count(t.ctx, `messages WHERE activation_id = $1 AND code = '48213' AND given = 'late'`, [id])).toBe(1)
  await expectBooksRight(t.ctx)
})

test('after a refund by staff only what came before it is readable; what is paid for is shown late', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '26.00' })
  const { id, phone } = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone, text: 'Telegram code: 11111' })
  await call(t, 'POST /api/v1/activations/{id}/finish', { id }, buyer)
  t.clock.advance(MINUTE)
  await pushSms(t, supplier, { phone, text: 'Telegram code: 22222' })
  expect((await read(t, buyer, id)).messages).toMatchObject([{ code: '22222', late: true }, { code: '11111' }])
  expect((await typed(t.database, 'order:refund', String(id), ...WHY)).code).toBe(0)
  t.clock.advance(MINUTE)
  await pushSms(t, supplier, { phone, text: 'Telegram code: 33333' })
  const { messages, code } = await read(t, buyer, id)
  expect(code).toBe('11111')
  expect(messages).toMatchObject([WITHOUT_WORDS, { code: '22222', late: true }, { code: '11111' }])
  expect(messages[1]).not.toHaveProperty('withheld')
  expect(await exported(t, buyer)).not.toContain('33333')
  expect(await moneyOf(t, buyer)).toEqual({ balance: '26.00', held: '0.00' })
})

test('a rental that was cancelled or paid back shows nothing that came after; one that is over shows it', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '500.00' })
  const [cancelled, refunded, kept] = [await rentOne(t, buyer), await rentOne(t, buyer), await rentOne(t, buyer)]
  await call(t, 'POST /api/v1/rentals/{id}/cancel', { id: cancelled.id }, buyer)
  for (const { id, phone } of [refunded, kept]) {
    await pushSms(t, supplier, { phone, text: 'Telegram code: 11111' })
    await call(t, 'POST /api/v1/rentals/{id}/finish', { id }, buyer)
  }
  expect((await typed(t.database, 'order:refund', `rental:${refunded.id}`, ...WHY)).code).toBe(0)
  t.clock.advance(MINUTE)
  for (const { phone } of [cancelled, refunded, kept])
    await pushSms(t, supplier, { phone, text: 'Telegram code: 22222' })
  expect((await readRental(t, buyer, cancelled.id)).messages).toMatchObject([WITHOUT_WORDS])
  expect((await readRental(t, buyer, refunded.id)).messages).toMatchObject([WITHOUT_WORDS, { code: '11111' }])
  expect((await readRental(t, buyer, kept.id)).messages).toMatchObject([
    { code: '22222', late: true },
    { code: '11111' },
  ])
})

async function exported(t: TestApp, user: TestUser): Promise<string> {
  const section = NUMBER_SECTIONS.find(({ table }) => table === 'messages')
  if (section === undefined) throw new Error('messages are not exported')
  return transaction(t.ctx.db, async (tx) => {
    const lines: string[] = []
    for await (const batch of readRows(tx, section, user.id)) {
      lines.push(...batch.map((row) => Object.values(row).join(' ')))
    }
    return lines.join('\n')
  })
}
