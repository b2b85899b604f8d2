import { expect, test } from 'vitest'
import { userChannel } from '#contract/live-events.ts'
import { count } from '#test/builders/activation-rows.ts'
import { makeStaff } from '#test/builders/staff.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'

const OPEN = 'POST /api/v1/support/tickets'
const CLOSE = 'POST /api/v1/support/tickets/{id}/close'
const WRITING = 'POST /api/v1/staff/tickets/{id}/writing'
const WRITE = 'POST /api/v1/staff/tickets/{id}/messages'

test('staff hear of what changes a ticket, and of nothing that does not', async () => {
  await using t = await startTestApp()
  const [buyer, staff] = [await t.makeUser(), await makeStaff(t, 'support')]
  const wish = { category: 'other' as const, subject: 's', text: 'x' }
  using desk = await listen(t, staff)
  const open = async () => (await call(t, OPEN, wish, { token: buyer.token })).data.id
  const heard = async () => {
    await t.ctx.background.idle()
    return (await desk.next('StaffTicketChanged')).ticketId
  }
  const first = await open()
  expect(await heard()).toBe(first)
  const key = { ...staff, idempotencyKey: crypto.randomUUID() }
  const answer = { id: first, kind: 'staff' as const, text: 'Hi', seen: 0 }
  const sent = await call(t, WRITE, answer, key)
  expect(await heard()).toBe(first)
  const closed = await call(t, CLOSE, { id: first }, buyer)
  expect(await heard()).toBe(first)
  t.clock.advance(1_000)
  expect(await call(t, CLOSE, { id: first }, buyer)).toEqual(closed)
  expect(await call(t, WRITE, answer, key)).toEqual(sent)
  await call(t, 'POST /api/v1/staff/tickets/{id}/close', { id: first }, staff)
  await t.ctx.background.idle()
  const second = await open()
  expect(await heard()).toBe(second)
})

test('who has the composer in use is told to colleagues alone, seldom, and stored nowhere', async () => {
  await using t = await startTestApp()
  const buyer = await t.makeUser()
  const [anna, boris] = [await makeStaff(t, 'support', 'anna@example.test'), await makeStaff(t, 'support')]
  const { id } = (await call(t, OPEN, { category: 'other', subject: 's', text: 'x' }, { token: buyer.token })).data
  await t.ctx.background.idle()
  using own = await listen(t, anna)
  using colleague = await listen(t, boris)
  using page = await listen(t, buyer)
  const before = await count(t.ctx, 'audit_log')
  for (let press = 0; press < 10; press += 1) await call(t, WRITING, { id }, anna)
  await t.ctx.background.idle()
  t.ctx.realtime.publish(userChannel(boris.id), 'StaffTicketChanged', { ticketId: 1 })
  const heard = await colleague.heard('StaffTicketChanged')
  expect(heard).toEqual(['StaffWriting', 'StaffWriting', 'StaffWriting', 'StaffTicketChanged'])
  for (const { id: listener, tab } of [
    { id: anna.id, tab: own },
    { id: buyer.id, tab: page },
  ]) {
    t.ctx.realtime.publish(userChannel(listener), 'BalanceTopup', { balance: '1', currency: 'rub' })
    expect(await tab.heard('BalanceTopup')).toEqual(['BalanceTopup'])
  }
  expect(await count(t.ctx, 'audit_log')).toBe(before)
  t.clock.advance(4_000)
  using later = await listen(t, boris)
  await call(t, WRITING, { id }, anna)
  expect(await later.next('StaffWriting')).toEqual({ ticketId: id, by: { id: anna.id, name: 'Buyer' } })
  t.clock.advance(10_000)
  expect((await refused(t, WRITING, { id: id + 1 }, anna)).status).toBe(404)
  expect((await refused(t, WRITING, { id }, { token: buyer.token })).status).toBe(404)
})
