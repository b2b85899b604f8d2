import { expect, test, vi } from 'vitest'
import { SECOND } from '#contract/time.ts'
import { buyOne, count, expectBooksRight, moneyOf, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting, readRental, rentOne, rentTransfersOf } from '#test/builders/rental-rows.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

test('a number of one service takes every message but what names another service; the whole number takes all', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '500.00' })
  const telegram = await rentOne(t, buyer, { service_id: 'tg' })
  const whole = await rentOne(t, buyer)
  const senders = ['WhatsApp', ' whatsapp ', 'VK', 'Telegram', '+77011234567', 'INFO']
  for (const { phone } of [telegram, whole]) {
    for (const sender of senders) {
      await pushSms(t, supplier, { phone, sender, text: 'Code 12345', messageId: `${phone} ${sender}` })
    }
  }
  const senderOf = ({ sender }: { sender: string }) => sender
  const shown = (await readRental(t, buyer, telegram.id)).messages.map(senderOf).reverse()
  expect(shown).toEqual(['Telegram', '+77011234567', 'INFO'])
  expect((await readRental(t, buyer, whole.id)).messages.map(senderOf).reverse()).toEqual(senders)
  expect(await count(t.ctx, 'messages WHERE rental_id IS NULL AND activation_id IS NULL')).toBe(3)
  const { rows } = await t.ctx.db.query({ text: 'SELECT phone, service_code FROM burnt_numbers ORDER BY service_code' })
  expect(rows).toEqual([
    { phone: whole.phone, service_code: 'full' },
    { phone: telegram.phone, service_code: 'tg' },
  ])
  await expectBooksRight(t.ctx)
})

test('what another service signs does not capture, and the rental can still be cancelled', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '65.00' })
  const { id, phone } = await rentOne(t, buyer, { service_id: 'tg' })
  await pushSms(t, supplier, { phone, sender: 'WhatsApp', text: 'Your WhatsApp code: 456-789' })
  await call(t, 'POST /api/v1/rentals/{id}/cancel', { id }, { token: buyer.token })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '65.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})

test('the code is read as the service writes it that a message on a whole number names', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '500.00' })
  const { id, phone } = await rentOne(t, buyer)
  await pushSms(t, supplier, { phone, sender: '900', text: 'Your code: 555555' })
  expect((await readRental(t, buyer, id)).code).toBe('555555')
  await pushSms(t, supplier, { phone, sender: 'Steam', text: 'Steam Guard code: XKWTQ' })
  expect((await readRental(t, buyer, id)).code).toBe('XKWTQ')
  await pushSms(t, supplier, { phone, text: 'Hello', messageId: 'x' })
  expect(await readRental(t, buyer, id)).toMatchObject({
    code: 'XKWTQ',
    messages: [{ text: 'Hello', code: null }, {}, {}],
  })
})

test('repeats are dropped by their id, and by content within ten seconds; all at once they charge once', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const other = await addRenting(t, 'other', [])
  const buyer = await t.makeUser({ balance: '500.00' })
  const { id, phone } = await rentOne(t, buyer)
  const push = (messageId: string | null, text?: string) =>
    pushSms(t, supplier, { phone, messageId, ...(text && { text }) })
  await Promise.all([push('a'), push('a'), push('a')])
  await Promise.all([push(null, 'bare 111111'), push(null, 'bare 111111')])
  t.clock.advance(10 * SECOND - 1)
  await push(null, 'bare 111111')
  expect(await count(t.ctx, 'messages WHERE rental_id = $1', [id])).toBe(2)
  t.clock.advance(1)
  await push(null, 'bare 111111')
  await push('a')
  await pushSms(t, other, { phone, messageId: 'a' })
  expect(await count(t.ctx, 'messages WHERE rental_id = $1', [id])).toBe(3)
  expect(await count(t.ctx, 'messages')).toBe(4)
  expect(await rentTransfersOf(t.ctx, id)).toEqual(['rental hold', 'rental capture'])
  await expectBooksRight(t.ctx)
})

test('many messages at once capture once, and each is counted', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '500.00' })
  const rentals = [await rentOne(t, buyer), await rentOne(t, buyer), await rentOne(t, buyer)]
  const pushes = rentals.flatMap(({ phone }) =>
    Array.from({ length: 20 }, (_, place) => pushSms(t, supplier, { phone, messageId: `${phone} ${place}` })),
  )
  await Promise.all(pushes)
  for (const { id } of rentals) {
    expect(await readRental(t, buyer, id)).toMatchObject({ messages_count: 20, money: 'captured' })
    expect(await rentTransfersOf(t.ctx, id)).toEqual(['rental hold', 'rental capture'])
  }
  await expectBooksRight(t.ctx)
})

test('renting costs the messages of activations nothing: one statement, as before', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '500.00' })
  const activation = await buyOne(t, buyer)
  const rental = await rentOne(t, buyer)
  const statementsOf = async (phone: string) => {
    using asked = vi.spyOn(t.ctx.db, 'query')
    await pushSms(t, supplier, { phone, messageId: phone })
    // The list leaves out unnamed statements, which run once per process, not for each message.
    return asked.mock.calls.map(([{ name }]) => name).filter((name) => name !== undefined && name !== 'user-find')
  }
  expect(await statementsOf(activation.phone)).toEqual(['activation-store-sms-for-only-holder'])
  const looked = await statementsOf(rental.phone)
  expect(looked.slice(0, 4)).toEqual([
    'activation-store-sms-for-only-holder',
    'message-list-claims',
    'rental-store-sms',
    'rental-find-any',
  ])
})
