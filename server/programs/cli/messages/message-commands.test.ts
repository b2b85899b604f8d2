import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { followMoney } from '#server/programs/boot/follow-money.ts'
import { buyOne, count, expectBooksRight, moneyOf, pushSms, transfersOf } from '#test/builders/activation-rows.ts'
import { addRenting, readRental, rentOne } from '#test/builders/rental-rows.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { auditOf, typed, WHY } from '#test/harness/typed.ts'

async function startToday(): Promise<TestApp> {
  const t = await startTestApp()
  t.clock.advance(Date.now() - t.clock.now().getTime())
  return t
}

async function idOf(t: TestApp, text: string): Promise<string> {
  const { rows } = await t.ctx.db.query<{ id: bigint }>({
    text: 'SELECT id FROM messages WHERE body = $1',
    values: [text],
  })
  return String(rows[0]?.id)
}

test('messages that charged nobody are listed for staff, bounded, and cannot steer the terminal', async () => {
  await using t = await startToday()
  const supplier = await t.addFake()
  const other = await t.addFake('other', [])
  expect((await typed(t.database, 'message:list')).out).toBe('There is none.\n')
  for (let place = 0; place < 5; place += 1) {
    await pushSms(t, supplier, { phone: '79990000001', sender: '900', text: `Code 1000${place}` })
    t.clock.advance(1)
  }
  await pushSms(t, other, { phone: '79990000002', sender: '\u001b[2J', text: 'one\r\n\u001b]0;x\u0007two\u202e' })
  const all = await typed(t.database, 'message:list')
  expect(all.out.split('\n')[0]).toMatch(/^\d+ \S+Z other 79990000002 \[2J: one \]0;x two$/)
  expect(all.out).toContain('fake 79990000001 900: Code 10004')
  const newest = await typed(t.database, 'message:list', '--limit', '2', '--phone', '+7 999 000-00-01')
  expect(newest.out.match(/Code 1000\d/g)).toEqual(['Code 10004', 'Code 10003'])
  expect(newest.out).toContain('These are the newest 2; there may be more.')
  expect((await typed(t.database, 'message:list', '--supplier', 'other')).out.split('\n')).toHaveLength(2)
  expect((await typed(t.database, 'message:list', '--given', 'late')).out).toBe('There is none.\n')
  for (const [option, value] of [
    ['limit', '501'],
    ['limit', '0'],
    ['days', 'x'],
    ['given', 'named'],
  ] as const) {
    expect(await typed(t.database, 'message:list', `--${option}`, value)).toMatchObject({ code: 2 })
  }
})

test('a message is attached by hand as if it had come: it captures once, is told at once, and is audited', async () => {
  await using t = await startToday()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const { id, phone } = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone, sender: 'WhatsApp', text: 'Your WhatsApp code: 456-789' })
  const message = await idOf(t, 'Your WhatsApp code: 456-789')
  const look = await followMoney(t.ctx)
  using live = await listen(t, buyer)
  const attach = (what: string, order: string) => typed(t.database, 'message:attach', what, order, ...WHY)

  expect(await typed(t.database, 'message:attach', message, String(id))).toMatchObject({ code: 2 })
  const said = await Promise.all([1, 2, 3].map(() => attach(message, String(id))))
  expect(said.filter(({ code }) => code === 0)).toHaveLength(1)
  expect(said.find(({ code }) => code === 1)?.err).toBe(
    `Message ${message} was given before: what somebody has read stays his\n`,
  )
  await look()
  expect(await live.next('NewCode')).toMatchObject({
    kind: 'activation',
    message: { text: 'Your WhatsApp code: 456-789' },
  })
  expect(await transfersOf(t.ctx, id)).toEqual(['hold', 'capture'])
  expect(await moneyOf(t, buyer)).toEqual({ balance: '87.00', held: '0.00' })
  expect(await auditOf(t.ctx.db)).toEqual([
    {
      actor: 'anna',
      command: 'message:attach',
      reason: 'because',
      subject: `message:${message}`,
      detail: { order: `activation:${id}`, userId: buyer.id, service: 'tg', before: 'unmatched' },
    },
  ])
  expect(await typed(t.database, 'ledger:verify')).toMatchObject({ code: 0 })
  await expectBooksRight(t.ctx)
})

test('a message is refused to what has ended, to another number and to what does not exist; nobody is charged', async () => {
  await using t = await startToday()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '500.00' })
  const { token } = buyer
  const ended = await buyOne(t, buyer)
  const open = await buyOne(t, buyer)
  const rental = await rentOne(t, buyer, { service_id: 'tg' })
  t.clock.advance(2 * MINUTE)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id: ended.id }, { token })
  await pushSms(t, supplier, { phone: ended.phone, text: 'Telegram code: 11111' })
  await pushSms(t, supplier, { phone: rental.phone, sender: 'WhatsApp', text: 'Your WhatsApp code: 456-789' })
  const late = await idOf(t, 'Telegram code: 11111')
  const foreign = await idOf(t, 'Your WhatsApp code: 456-789')
  const refusal = async (message: string, order: string) => {
    const { code, err } = await typed(t.database, 'message:attach', message, order, ...WHY)
    return `${code} ${err.trim()}`
  }
  expect(await refusal(late, String(ended.id))).toBe(
    `1 The activation ${ended.id} is not open: nobody is charged for what has ended`,
  )
  expect(await refusal(late, String(open.id))).toBe(
    `1 Message ${late} came to another number than that of activation ${open.id}`,
  )
  expect(await refusal('999', String(open.id))).toBe('1 There is no message 999')
  expect(await refusal(late, '5')).toBe('1 There is no activation 5')
  expect(await refusal(late, 'rental:5')).toBe('1 There is no rental 5')
  expect(await refusal(late, 'x')).toMatch(/^2 ORDER is the number/)
  expect(await moneyOf(t, buyer)).toMatchObject({ held: '78.00' })
  expect(await count(t.ctx, 'audit_log')).toBe(0)

  const { code } = await typed(t.database, 'message:attach', foreign, `rental:${rental.id}`, ...WHY)
  expect(code).toBe(0)
  // The test clock is two minutes ahead of the command's clock. Yet the audit log's time must not be earlier than times
  // that the service stored.
  expect(await count(t.ctx, `audit_log WHERE at >= (SELECT max(received_at) FROM messages)`)).toBe(1)
  expect(await readRental(t, buyer, rental.id)).toMatchObject({ money: 'captured', messages_count: 1 })
  expect(await moneyOf(t, buyer)).toMatchObject({ held: '13.00' })
  await expectBooksRight(t.ctx)
})

test('M-1: a late message that its buyer has read is refused to the order of another account, and given to his own', async () => {
  await using t = await startToday()
  const offers = ['tg', 'go', 'wa'].map((serviceCode) => ({ ...fakeOffer, serviceCode }))
  const supplier = await t.addFake('shared', offers)
  const phone = '77051230001'
  supplier.onBuy = async (order) => ({ ...supplier.sell(order), phone })
  const [anna, boris] = [await t.makeUser({ balance: '20.00' }), await t.makeUser({ balance: '20.00' })]
  const buy = async (service_id: string, { token }: typeof anna) =>
    (await call(t, 'POST /api/v1/activations', { service_id, country_id: 2 }, { token })).data.id
  const read = async (id: number, { token }: typeof anna) =>
    (await call(t, 'GET /api/v1/activations/{id}', { id }, { token })).data
  const telegram = await buy('tg', anna)
  const google = await buy('go', boris)
  await call(t, 'POST /api/v1/activations/{id}/used', { id: telegram }, { token: anna.token })
  const text = 'Telegram code: 48213'
  await pushSms(t, supplier, { phone, text })
  expect(await read(telegram, anna)).toMatchObject({ messages: [{ text: '', late: true, withheld: true }] })

  const message = await idOf(t, text)
  const attach = (order: number) => typed(t.database, 'message:attach', message, String(order), ...WHY)
  expect(await attach(google)).toMatchObject({
    code: 1,
    err: `Message ${message} was given before: what somebody has read stays his\n`,
  })
  expect(await read(google, boris)).toMatchObject({ state: 'waiting', money: 'held', messages: [] })
  expect(await read(telegram, anna)).toMatchObject({
    money: 'released',
    messages: [{ text: '', late: true, withheld: true }],
  })
  expect(await moneyOf(t, boris)).toEqual({ balance: '7.00', held: '13.00' })

  // Regression test for M-4: a message that arrived before an order is probably not for it.
  t.clock.advance(MINUTE)
  const whatsapp = await buy('wa', anna)
  const older = await attach(whatsapp)
  expect(older.code).toBe(1)
  expect(older.err).toMatch(
    /^Message \d+ came at \S+Z, activation \d+ was ordered only at \S+Z\. Nothing was changed: add --yes if it is meant$/m,
  )
  expect(await read(whatsapp, anna)).toMatchObject({ state: 'waiting', money: 'held', messages: [] })
  expect(await typed(t.database, 'message:attach', message, String(whatsapp), '--yes', ...WHY)).toMatchObject({
    code: 0,
  })
  expect(await read(whatsapp, anna)).toMatchObject({ money: 'captured', messages: [{ text }] })
  expect(await read(telegram, anna)).toMatchObject({ messages: [] })
  await expectBooksRight(t.ctx)
})
