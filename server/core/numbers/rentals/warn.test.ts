import { expect, test } from 'vitest'
import { DAY, HOUR } from '#contract/time.ts'
import { count, expectBooksRight, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting, later, rentOne } from '#test/builders/rental-rows.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { sweepRentals } from './sweep.ts'
import { warnAt } from './times.ts'

async function mailsOf(t: TestApp): Promise<{ to: string; subject: string; text: string }[]> {
  const response = await t.fetch('/demo/mail.json')
  return (await response.json()) as { to: string; subject: string; text: string }[]
}

/** Lets some minutes pass, because the warning is mailed only if it stays unread. */
async function sendUnread(t: TestApp): Promise<void> {
  await t.runJobs()
  await t.hurryJobs()
}

test('the warning comes at a tenth of the time, but an hour to a day before the end', () => {
  const end = new Date('2026-03-10T00:00:00.000Z')
  const hoursBefore = (hours: number) => (end.getTime() - warnAt(end, hours).getTime()) / HOUR
  expect([4, 10, 24, 72, 168, 240, 336, 1440].map(hoursBefore)).toEqual([1, 1, 2.4, 7.2, 16.8, 24, 24, 24])
})

test('the buyer is told once that the end is near, by mail as well from a day on; an extension lets him be told again', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '1000.00', email: 'tenant@example.test' })
  const day = await rentOne(t, buyer)
  const hours = await rentOne(t, buyer, { period: 4 })
  for (const { phone } of [day, hours]) await pushSms(t, supplier, { phone })
  using live = await listen(t, buyer)
  await later(t, buyer, 3 * HOUR - 1)
  expect((await sweepRentals(t.ctx)).warned).toBe(0)
  t.clock.advance(1)
  expect((await sweepRentals(t.ctx)).warned).toBe(1)
  expect(await live.next('RentalChanged')).toMatchObject({ record: { id: hours.id, expiring: true }, balance: null })
  expect((await sweepRentals(t.ctx)).warned).toBe(0)
  await sendUnread(t)
  expect(await mailsOf(t)).toEqual([])

  await later(t, buyer, 18.6 * HOUR)
  expect(await sweepRentals(t.ctx)).toMatchObject({ expired: 1, warned: 1 })
  expect((await sweepRentals(t.ctx)).warned).toBe(0)
  await sendUnread(t)
  const [mail, ...others] = await mailsOf(t)
  expect(others).toEqual([])
  expect(mail).toMatchObject({
    to: 'tenant@example.test',
    subject: expect.stringMatching(/^Аренда \+7 707 .* скоро закончится$/),
  })
  expect(mail?.text).toContain('2 марта 2026')
  expect(mail?.text).toContain('/rent')

  const extend = { id: day.id, period: 24 }
  const { data } = await call(t, 'POST /api/v1/rentals/{id}/extend', extend, { token: buyer.token })
  expect(data.expiring).toBe(false)
  expect((await sweepRentals(t.ctx)).warned).toBe(0)
  await later(t, buyer, DAY)
  expect((await sweepRentals(t.ctx)).warned).toBe(1)
  expect(await count(t.ctx, 'graphile_worker._private_jobs')).toBe(1)
  await expectBooksRight(t.ctx)
})

test('a warning that could not be sent before the end is not sent any more', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '500.00' })
  const { phone } = await rentOne(t, buyer)
  await pushSms(t, supplier, { phone })
  await later(t, buyer, 22 * HOUR)
  expect((await sweepRentals(t.ctx)).warned).toBe(1)
  await later(t, buyer, 2 * HOUR)
  await sendUnread(t)
  expect(await mailsOf(t)).toEqual([])
})
