import { expect, test } from 'vitest'
import { formatPhone } from '#contract/formats/phone-format.ts'
import { MINUTE } from '#contract/time.ts'
import { buyOne, count, expectBooksRight, moneyOf, pushSms } from '#test/builders/activation-rows.ts'
import { holdRental, meetAtRow } from '#test/builders/held-row.ts'
import { addRenting, readRental, rentOne } from '#test/builders/rental-rows.ts'
import { makeStaff } from '#test/builders/staff.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { typed, WHY } from '#test/harness/typed.ts'

const REFUND = 'POST /api/v1/staff/tickets/{id}/refund'

async function ticketOf(t: TestApp, { token }: TestUser): Promise<number> {
  const wish = { category: 'number' as const, subject: 'Wrong code', text: 'It did not work' }
  return (await call(t, 'POST /api/v1/support/tickets', wish, { token })).data.id
}

test('a rental whose extension is under way ends with its refund: the extension is given back, and a late grant is our cost', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '500.00' })
  const staff = await makeStaff(t, 'support')
  const { id: order, phone } = await rentOne(t, buyer)
  await pushSms(t, supplier, { phone })
  const id = await ticketOf(t, buyer)
  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  supplier.rent.onExtend = async (extension) => {
    asked.resolve()
    await gate.promise
    supplier.rent.extend(extension)
    return { outcome: 'extended', costMicros: extension.maxCostMicros }
  }
  const extending = refused(t, 'POST /api/v1/rentals/{id}/extend', { id: order, period: 24 }, buyer)
  await asked.promise
  const given = await call(t, REFUND, { id, kind: 'rental', order }, staff)
  expect(given).toMatchObject({ amount: '130.00', balance: '500.00' })
  gate.resolve()
  expect((await extending).body.code).toBe('EXTEND_UNAVAILABLE')
  expect(await readRental(t, buyer, order)).toMatchObject({ state: 'finished', hours: 24 })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '500.00', held: '0.00' })
  await t.runJobs()
  expect(supplier.rent.ended.map(({ reference }) => reference)).toContain(`r${order}-1`)
  expect(await count(t.ctx, 'charges WHERE late_cost_micros > 0')).toBe(1)
  await expectBooksRight(t.ctx)
})

test.each(['message', 'refund'] as const)(
  'when a message and the refund of its rental meet at the row, the %s first, the books are right',
  async (first) => {
    await using t = await startTestApp()
    const supplier = await addRenting(t)
    const buyer = await t.makeUser({ balance: '500.00' })
    const staff = await makeStaff(t, 'support')
    const { id: order, phone } = await rentOne(t, buyer)
    await pushSms(t, supplier, { phone })
    const id = await ticketOf(t, buyer)
    const message = () => pushSms(t, supplier, { phone, text: 'Another one 5512' })
    const refund = () => call(t, REFUND, { id, kind: 'rental', order }, staff)
    const held = { connectionString: t.database.connectionString, id: order, hold: holdRental }
    const results = await meetAtRow<unknown, unknown>(held, first === 'message' ? [message, refund] : [refund, message])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(await moneyOf(t, buyer)).toEqual({ balance: '500.00', held: '0.00' })
    expect(await readRental(t, buyer, order)).toMatchObject({ state: 'finished' })
    await expectBooksRight(t.ctx)
  },
)

test('the buyer is told of money back: in the bell, live, and in the ticket, by staff or by command', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const staff = await makeStaff(t, 'support')
  const { id: order, phone } = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone })
  const wish = { category: 'number' as const, subject: 'Wrong code', text: 'It did not work' }
  const about = { kind: 'activation' as const, id: String(order) }
  const { id } = (await call(t, 'POST /api/v1/support/tickets', { ...wish, about }, buyer)).data
  const { id: other, phone: otherPhone } = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone: otherPhone })
  using tab = await listen(t, buyer)
  t.clock.advance(MINUTE)
  await call(t, REFUND, { id, kind: 'activation', order }, staff)
  expect(await tab.next('ActivationChanged')).toMatchObject({ record: { id: order, refunded: '13.00', final: true } })
  await t.runJobs()
  const shownPhone = formatPhone(phone, '7')
  const title = 'Refunded: 13.00\u00a0₽'
  expect(await tab.next('NewUserNotification')).toMatchObject({ kind: 'refunded', link: `/support/${id}` })
  const inBell = async () =>
    (await call(t, 'GET /api/v1/notifications', {}, { ...buyer, locale: 'en' })).notifications[0]
  expect(await inBell()).toMatchObject({ title, text: expect.stringContaining(shownPhone), category: 'payments' })
  const ticket = async () => (await call(t, 'GET /api/v1/support/tickets/{id}', { id }, buyer)).data
  const line = { amount: '13.00', currency: 'rub', phone, dial: '7' }
  expect(await ticket()).toMatchObject({ about: { refunded: '13.00' }, refunds: [line] })

  const timeline = async (what: number) => {
    const told = await call(
      t,
      'GET /api/v1/staff/tickets/{id}/timeline',
      { id, kind: 'activation', order: what },
      staff,
    )
    return told.data.slice(-2).map(({ what: kind, amount, by }) => [kind, amount, by])
  }
  // The line of the refund (with actor and amount) comes before the activation's end, which has the same time.
  expect(await timeline(order)).toEqual([
    ['staff.ticket:refund', '13.00', 'Buyer'],
    ['activation.finished', null, null],
  ])

  // A refund by command has no ticket, so the notification links to the history.
  expect(await typed(t.database, 'order:refund', String(other), ...WHY)).toMatchObject({ code: 0 })
  expect(await inBell()).toMatchObject({
    title,
    link: expect.stringMatching(/^\/history\?mode=activation&search=\d+$/),
  })
  expect((await ticket()).refunds).toHaveLength(1)
  expect(await timeline(other)).toEqual([
    ['staff.order:refund', '13.00', expect.any(String)],
    ['activation.finished', null, null],
  ])
  const { history } = await call(t, 'GET /api/v1/history', {}, buyer)
  expect(history.data.map(({ paid, refunded }) => [paid, refunded])).toEqual([
    ['0.00', '13.00'],
    ['0.00', '13.00'],
  ])
})
