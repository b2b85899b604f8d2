import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { lockAccount } from '#server/house/money/move-money.ts'
import { buyOne, count, expectBooksRight, moneyOf, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting, later, readRental, rentOne } from '#test/builders/rental-rows.ts'
import { makeStaff } from '#test/builders/staff.ts'
import type { FakeSupplier } from '#test/fakes/fake-supplier.ts'
import { call, refused, send } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { auditOf, typed } from '#test/harness/typed.ts'

const REFUND = 'POST /api/v1/staff/tickets/{id}/refund'
const CAPS = { STAFF_REFUND_CAP_RUB: '30.00', STAFF_REFUND_DAY_CAP_RUB: '60.00' }

async function boughtWithCode(t: TestApp, supplier: FakeSupplier, buyer: TestUser): Promise<number> {
  const { id, phone } = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone })
  return id
}

async function ticketOf(t: TestApp, { token }: TestUser): Promise<number> {
  const wish = { category: 'number' as const, subject: 'Wrong code', text: 'It did not work' }
  return (await call(t, 'POST /api/v1/support/tickets', wish, { token })).data.id
}

test('4.13: a purchase is paid back in one press and once, whoever presses how often', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const [one, two] = [await makeStaff(t, 'support'), await makeStaff(t, 'operator')]
  const order = await boughtWithCode(t, supplier, buyer)
  const waiting = await buyOne(t, buyer)
  const id = await ticketOf(t, buyer)
  const wanted = { id, kind: 'activation' as const, order }
  using tab = await listen(t, buyer)

  const presses = await Promise.all([one, two, one, two].map((staff) => send(t, REFUND, wanted, staff)))
  expect(presses.map(({ response }) => response.status).sort()).toEqual([200, 409, 409, 409])
  expect(await tab.next('BalanceTopup')).toEqual({ balance: '87.00', currency: 'rub' })
  expect((await refused(t, REFUND, wanted, one)).body.code).toBe('REFUNDED_BEFORE')
  const again = await refused(t, 'POST /api/v1/activations/{id}/again', { id: order }, buyer)
  expect(again.body.code).toBe('ACTIVATION_ENDED')
  expect((await refused(t, REFUND, { ...wanted, order: waiting.id }, one)).body.code).toBe('NOTHING_TO_REFUND')
  expect(await moneyOf(t, buyer)).toEqual({ balance: '87.00', held: '13.00' })
  expect(await count(t.ctx, `transfers WHERE kind = 'refund'`)).toBe(1)
  expect(await count(t.ctx, 'support_refunds')).toBe(1)

  const winner = presses[0]?.response.ok === true || presses[2]?.response.ok === true ? one : two
  const detail = { ticket: id, userId: buyer.id, amount: '13.00', currency: 'rub' }
  expect(await auditOf(t.ctx.db)).toEqual([
    {
      actor: `user:${winner.id}`,
      command: 'ticket:refund',
      subject: `activation:${order}`,
      reason: `ticket ${id}`,
      detail,
    },
  ])
  expect((await typed(t.database, 'audit:list', '--by', `user:${winner.id}`)).out).toContain('ticket:refund')
  const shown = await call(t, 'GET /api/v1/staff/tickets/{id}', { id }, one)
  expect(shown.data).toMatchObject({ refunded: '13.00' })
  expect(shown.data.buyer.numbers.find((number) => number.id === order)).toMatchObject({
    refunded: true,
    refundable: null,
  })
  await expectBooksRight(t.ctx)
})

test('a rental is paid back with its extensions', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '500.00' })
  const staff = await makeStaff(t, 'support')
  const { id: order } = await rentOne(t, buyer)
  const id = await ticketOf(t, buyer)
  const wanted = { id, kind: 'rental' as const, order }
  expect((await refused(t, REFUND, wanted, staff)).body.code).toBe('NOTHING_TO_REFUND')
  await call(t, 'POST /api/v1/rentals/{id}/extend', { id: order, period: 24 }, buyer)
  const due = (await call(t, 'GET /api/v1/staff/tickets/{id}', { id }, staff)).data.buyer.numbers[0]
  const given = await call(t, REFUND, wanted, staff)
  expect(given.amount).toBe(due?.refundable)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '500.00', held: '0.00' })
  expect((await refused(t, REFUND, wanted, staff)).body.code).toBe('REFUNDED_BEFORE')
  expect(await readRental(t, buyer, order)).toMatchObject({ state: 'finished', final: true, refunded: due?.refundable })
  expect(supplier.rent.ended).toEqual([])
  await t.runJobs()
  expect(supplier.rent.ended).toMatchObject([{ reference: `r${order}-1` }])
  await expectBooksRight(t.ctx)
})

test('above the cap only an operator pays back: of a ticket, of a buyer and of a member of staff in a day', async () => {
  await using t = await startTestApp({ environment: CAPS })
  const supplier = await t.addFake()
  const [buyer, other] = [await t.makeUser({ balance: '500.00' }), await t.makeUser({ balance: '500.00' })]
  const [support, operator] = [await makeStaff(t, 'support'), await makeStaff(t, 'operator')]
  const orders: number[] = []
  for (let place = 0; place < 4; place += 1) orders.push(await boughtWithCode(t, supplier, buyer))
  const [first = 0, second = 0, third = 0, fourth = 0] = orders
  const id = await ticketOf(t, buyer)
  const refund = (order: number, ticket = id) => ({ id: ticket, kind: 'activation' as const, order })
  await call(t, REFUND, refund(first), support)

  // Two concurrent refunds exceed the cap together. Only the first passes, and the second moves no money.
  const both = await Promise.all([second, third].map((order) => send(t, REFUND, refund(order), support)))
  expect(both.map(({ response }) => response.status).sort()).toEqual([200, 409])
  expect(both.find(({ response }) => response.status === 409)?.body).toMatchObject({
    code: 'REFUND_CAP',
    data: { cap: '30.00' },
  })
  expect((await moneyOf(t, buyer)).balance).toBe('474.00')
  const left = both[0]?.response.ok === true ? third : second
  expect((await refused(t, REFUND, refund(left, await ticketOf(t, buyer)), support)).body.code).toBe('REFUND_CAP')
  await call(t, REFUND, refund(left), operator)

  // The daily cap of the member of staff is 60, of which 26 are spent.
  for (const expected of [200, 200]) {
    const order = await boughtWithCode(t, supplier, other)
    expect((await send(t, REFUND, refund(order, await ticketOf(t, other)), support)).response.status).toBe(expected)
  }
  const third1 = await t.makeUser()
  const order = await boughtWithCode(t, supplier, third1)
  const ofThird = refund(order, await ticketOf(t, third1))
  expect((await refused(t, REFUND, ofThird, support)).body).toMatchObject({
    code: 'REFUND_CAP',
    data: { cap: '60.00' },
  })
  await later(t, support, 25 * 3_600_000)
  await call(t, REFUND, ofThird, support)
  // On a new day a new ticket has the whole cap again, but the old ticket does not.
  expect((await refused(t, REFUND, refund(fourth), support)).body.code).toBe('REFUND_CAP')
  await expectBooksRight(t.ctx)
})

test("only what the ticket's buyer bought is paid back, and nobody pays himself", async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const [buyer, stranger] = [await t.makeUser(), await t.makeUser()]
  const operator = await makeStaff(t, 'operator')
  const order = await boughtWithCode(t, supplier, stranger)
  const id = await ticketOf(t, buyer)
  for (const wrong of [{ order }, { order: 9_999_999 }, { order, kind: 'rental' }, { order, id: 999_999 }]) {
    expect((await refused(t, REFUND, { id, kind: 'activation', ...wrong }, operator)).status).toBe(404)
  }
  const timeline = 'GET /api/v1/staff/tickets/{id}/timeline'
  expect((await refused(t, timeline, { id, kind: 'activation', order }, operator)).status).toBe(404)
  await t.ctx.db.query({
    text: 'UPDATE activations SET user_id = $1 WHERE id = $2',
    values: [operator.id, order],
  })
  const own = await ticketOf(t, operator)
  expect((await refused(t, REFUND, { id: own, kind: 'activation', order }, operator)).body.code).toBe('OWN_TICKET')
  expect(await count(t.ctx, `transfers WHERE kind = 'refund'`)).toBe(0)
})

test('a refund asks who it is, and an operator has a cap of the day too', async () => {
  await using t = await startTestApp({ environment: { ...CAPS, STAFF_REFUND_OPERATOR_DAY_CAP_RUB: '20.00' } })
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const operator = await makeStaff(t, 'operator')
  const id = await ticketOf(t, buyer)
  const refund = async () => ({ id, kind: 'activation' as const, order: await boughtWithCode(t, supplier, buyer) })
  const first = await refund()
  t.clock.advance(6 * MINUTE)
  expect((await refused(t, REFUND, first, operator)).body).toMatchObject({
    code: 'CONFIRM_PASSWORD',
    data: { by: 'password' },
  })
  expect(await count(t.ctx, 'support_refunds')).toBe(0)
  await call(t, 'POST /api/v1/user/confirm-password', { password: operator.password }, operator)
  await call(t, REFUND, first, operator)
  expect((await refused(t, REFUND, await refund(), operator)).body).toMatchObject({
    code: 'REFUND_CAP',
    data: { cap: '20.00' },
    message: expect.stringContaining('order:refund'),
  })
  expect(await count(t.ctx, 'support_refunds')).toBe(1)
  await expectBooksRight(t.ctx)
})

test('nobody is paid or answered whose account is deleted, even when it is deleted meanwhile', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const staff = await makeStaff(t, 'support')
  const order = await boughtWithCode(t, supplier, buyer)
  const id = await ticketOf(t, buyer)
  const wanted = { id, kind: 'activation' as const, order }
  const refund = await transaction(t.ctx.db, async (tx) => {
    await lockAccount(tx, buyer.id)
    const press = send(t, REFUND, wanted, staff)
    const waits = async () =>
      count(
        t.ctx,
        `pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%accounts%'`,
      )
    await expect.poll(waits).toBe(1)
    await tx.query({
      text: `UPDATE users SET email = NULL, name = '', password_hash = NULL, settings = '{}', utm = '{}', blocked_at = now(),
        erased_at = now() WHERE id = $1`,
      values: [buyer.id],
    })
    return { press }
  })
  expect((await refund.press).body).toMatchObject({ code: 'NOTHING_TO_REFUND' })
  const answer = { id, kind: 'staff' as const, text: 'Hello?', seen: 0 }
  expect((await refused(t, 'POST /api/v1/staff/tickets/{id}/messages', answer, staff)).body.code).toBe('BUYER_DELETED')
  const { buyer: card } = (await call(t, 'GET /api/v1/staff/tickets/{id}', { id }, staff)).data
  expect(card).toMatchObject({
    deleted: true,
    email: null,
    balance: '87.00',
    numbers: [{ id: order, refundable: null }],
  })
  expect(await count(t.ctx, 'support_messages')).toBe(1)
  expect(await count(t.ctx, 'notifications')).toBe(0)
})
