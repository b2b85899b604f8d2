import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { notify } from '#server/core/notifications/notify.ts'
import { buyOne, count, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting, rentOne } from '#test/builders/rental-rows.ts'
import { workOff } from '#test/builders/telegram.ts'
import { call } from '#test/harness/calls.ts'
import { beginTestSession, type TestApp } from '#test/harness/harness.ts'
import { receiveCode, startPushing, subscribed } from '#test/services/push-service.ts'

const LIST = 'GET /api/v1/push'
const SUBSCRIBE = 'POST /api/v1/push/subscriptions'

const gone = async (t: TestApp, user: { token: string }) =>
  (await call(t, LIST, {}, user)).subscriptions.map(({ gone_at }) => gone_at !== null)

test.each([404, 410])(
  'a browser that is gone (%i) is forgotten, its person sees it, and it may subscribe again',
  async (status) => {
    await using t = await startPushing()
    const user = await t.makeUser()
    await using service = await subscribed(t, user)
    service.answerWith(status)
    await receiveCode(t, user)
    expect(await gone(t, user)).toEqual([true])
    service.answerWith(201)
    await receiveCode(t, user)
    expect(service.pushed).toEqual([])
    const { public_key } = await call(t, LIST, {}, user)
    await call(t, SUBSCRIBE, service.subscribe(public_key, 'another address'), user)
    expect(await gone(t, user)).toEqual([false])
    await receiveCode(t, user)
    expect([service.pushed.length, service.faults]).toEqual([1, []])
  },
)

test('what a service does not take is put off at growing pauses for as long as it is of use', async () => {
  await using t = await startPushing()
  const user = await t.makeUser()
  await using service = await subscribed(t, user)
  service.answerWith(503)
  await receiveCode(t, user)
  let [passed, asked] = [0, 1]
  for (const due of [3, 6, 9, 14, 21, 32, 48, 72, 108, 162, 243, 365, 548]) {
    t.clock.advance((due - passed - 1) * SECOND)
    await t.hurryJobs()
    expect([due, service.asked()]).toEqual([due, asked])
    t.clock.advance(SECOND)
    await t.hurryJobs()
    asked += 1
    expect([due, service.asked()]).toEqual([due, asked])
    passed = due
  }
  service.answerWith(201)
  t.clock.advance(MINUTE)
  await t.hurryJobs()
  expect([service.pushed, await count(t.ctx, 'graphile_worker.jobs')]).toEqual([[], 0])
  service.answerWith(503)
  const told = { kind: 'ticket-answer' as const, details: { subject: 'SMS' }, link: '/support/1', dedupeKey: 'a' }
  await notify(t.ctx.db, { userId: user.id, ...told }, t.clock.now())
  await t.runJobs()
  for (let n = 0; n < 3; n += 1) {
    t.clock.advance(7 * HOUR)
    await t.hurryJobs()
  }
  service.answerWith(201)
  t.clock.advance(5 * MINUTE)
  await t.hurryJobs()
  expect([service.pushed.length, service.faults]).toEqual([1, []])
})

test('a burst during an outage forgets no browser, and asks it as seldom as one code; days of failures do', async () => {
  await using t = await startPushing()
  const user = await t.makeUser({ balance: '1000.00' })
  await using service = await subscribed(t, user)
  service.hangUp()
  for (let n = 0; n < 6; n += 1) await receiveCode(t, user)
  for (let n = 0; n < 5; n += 1) {
    t.clock.advance(2 * SECOND)
    await t.hurryJobs()
  }
  expect(service.asked()).toBeLessThan(6)
  expect(await gone(t, user)).toEqual([false])
  service.answerWith(201)
  t.clock.advance(30 * SECOND)
  for (let n = 0; n < 6; n += 1) await t.hurryJobs()
  expect([service.pushed.length, service.faults]).toEqual([6, []])
  service.answerWith(503)
  const fail = async () => {
    const session = await beginTestSession(t.ctx, user.id)
    await receiveCode(t, { ...user, token: session.token })
    await t.ctx.db.query({ text: 'SELECT graphile_worker.complete_jobs(ARRAY(SELECT id FROM graphile_worker.jobs))' })
  }
  const isGone = () => count(t.ctx, 'push_subscriptions WHERE gone_at IS NOT NULL')
  await fail()
  t.clock.advance(7 * DAY)
  for (let halfDay = 0; halfDay < 6; halfDay += 1) {
    await fail()
    t.clock.advance(DAY / 2)
  }
  expect(await isGone()).toBe(0)
  await fail()
  expect(await isGone()).toBe(1)
})

test('the push of a message is queued by the statement that stores it, and only for whoever has a browser', async () => {
  await using t = await startPushing()
  const supplier = await addRenting(t)
  const [user, other] = [await t.makeUser({ balance: '5000.00' }), await t.makeUser()]
  await using service = await subscribed(t, user)
  const rented = await rentOne(t, user)
  await pushSms(t, supplier, { phone: (await buyOne(t, user)).phone, text: 'Telegram code: 11111' })
  await pushSms(t, supplier, { phone: rented.phone, sender: 'Shop', text: 'Your code: 22222' })
  await pushSms(t, supplier, { phone: (await buyOne(t, other)).phone, text: 'Telegram code: 33333' })
  // The message and its push job were written by one transaction, so a crash cannot separate them.
  const { rows } = await t.ctx.db.query<{ code: string }>({
    text: `SELECT m.code FROM messages m JOIN graphile_worker._private_jobs j ON j.xmin = m.xmin AND j.payload ->> 'messageId' = m.id::text
      ORDER BY m.id`,
  })
  expect(rows).toEqual([{ code: '11111' }, { code: '22222' }])
  expect(await count(t.ctx, 'graphile_worker.jobs')).toBe(2)
  await workOff(t)
  expect(service.pushed.map(({ content }) => content)).toMatchObject([
    { title: 'Telegram: 11111', url: '/activations' },
    { title: expect.stringMatching(/: 22222$/), url: '/rent' },
  ])
})
