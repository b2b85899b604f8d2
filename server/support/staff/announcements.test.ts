import { expect, test } from 'vitest'
import { makeStaff } from '#test/builders/staff.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'

const OPEN = 'POST /api/v1/support/tickets'
const CLOSE = 'POST /api/v1/support/tickets/{id}/close'
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
