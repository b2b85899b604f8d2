import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { notify } from '#server/notifications/notify.ts'
import { buyOne, count, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting, rentOne } from '#test/builders/rental-rows.ts'
import { linkChat } from '#test/builders/telegram.ts'
import type { FakeSupplier } from '#test/fakes/fake-supplier.ts'
import { startPushService } from '#test/fakes/push-service.ts'
import { openTelegramHouse } from '#test/fakes/telegram/telegram-house.ts'
import { call, refused } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { queueOf, queuePush } from './queue-push.ts'

const LIST = 'GET /api/v1/push'
const SUBSCRIBE = 'POST /api/v1/push/subscriptions'
const REMOVE = 'DELETE /api/v1/push/subscriptions/{id}'

const start = () => startTestApp({ environment: { OUTBOUND_PRIVATE_HOSTS: '127.0.0.1' } })

async function subscribed(t: TestApp, user: { token: string }, name?: string) {
  const service = await startPushService()
  const { public_key } = await call(t, LIST, {}, { token: user.token })
  const { subscriptions } = await call(t, SUBSCRIBE, service.subscribe(public_key, name), { token: user.token })
  return { ...service, id: subscriptions[0]?.id ?? 0, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
}

const supplying = new WeakMap<TestApp, FakeSupplier>()

async function receiveCode(t: TestApp, user: TestUser): Promise<void> {
  const supplier = supplying.get(t) ?? (await t.addFake())
  supplying.set(t, supplier)
  const order = { service_id: 'tg', country_id: 2 }
  const { data } = await call(t, 'POST /api/v1/activations', order, { token: user.token })
  await pushSms(t, supplier, { phone: data.phone ?? '', text: 'Your code: 48213' })
  await t.runJobs()
}

test('a code reaches a closed page: only its browser can read it, and knows who sends', async () => {
  await using t = await start()
  const user = await t.makeUser()
  await using service = await subscribed(t, user)
  await receiveCode(t, user)
  expect(service.faults).toEqual([])
  const [one, ...others] = service.pushed
  expect(others).toEqual([])
  expect(one).toMatchObject({
    content: { title: 'Telegram: 48213', url: '/activations', tag: expect.stringMatching(/^message-\d+$/) },
    ...{ ttl: 600, urgency: 'high' },
  })
  expect(one?.raw.includes('48213')).toBe(false)
  expect(one?.raw.includes('Telegram')).toBe(false)
  const { rows } = await t.ctx.db.query<{ sealed: object }>({ text: 'SELECT sealed FROM push_subscriptions' })
  expect(JSON.stringify(rows)).not.toContain('127.0.0.1')
})

test('an open tab needs no push; without a subscription nothing is queued', async () => {
  await using t = await start()
  const [user, other] = [await t.makeUser(), await t.makeUser()]
  await using service = await subscribed(t, user)
  {
    using live = await listen(t, user)
    await receiveCode(t, user)
    await live.next('NewCode')
  }
  await receiveCode(t, other)
  expect(service.pushed).toEqual([])
})

test('a program at the live socket is no open tab; security is told whatever is open or read', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: { ...house.environment, OUTBOUND_PRIVATE_HOSTS: '127.0.0.1' } })
  const user = await t.makeUser()
  await linkChat(t, house, { user, person: 1001 })
  await using service = await subscribed(t, user)
  using _program = await listen(t, { ...user, token: await t.makeApiKey(user) })
  await receiveCode(t, user)
  expect(service.pushed).toHaveLength(1)
  // The thief's page is open, and he reads it first.
  using _tab = await listen(t, user)
  const told = { kind: 'new-device' as const, details: { device: 'Chrome', address: '203.0.113.66' } }
  await notify(t.ctx.db, { userId: user.id, ...told, link: '/settings/sessions', dedupeKey: 'a' }, t.clock.now())
  await call(t, 'POST /api/v1/notifications/read', { up_to: Number.MAX_SAFE_INTEGER }, user)
  await t.runJobs()
  expect(service.pushed).toMatchObject([{}, { urgency: 'high', content: { url: '/settings/sessions' } }])
  expect(house.sent.filter(({ text }) => text.includes('203.0.113.66'))).toHaveLength(1)
})

test('the push of a message is queued by the statement that stores it, and only for whoever has a browser', async () => {
  await using t = await start()
  const supplier = await addRenting(t)
  const [user, other] = [await t.makeUser({ balance: '5000.00' }), await t.makeUser()]
  await using service = await subscribed(t, user)
  const rented = await rentOne(t, user)
  await pushSms(t, supplier, { phone: (await buyOne(t, user)).phone, text: 'Telegram code: 11111' })
  await pushSms(t, supplier, { phone: rented.phone, sender: 'Shop', text: 'Your code: 22222' })
  await pushSms(t, supplier, { phone: (await buyOne(t, other)).phone, text: 'Telegram code: 33333' })
  // Of one transaction: no kill comes between them.
  const { rows } = await t.ctx.db.query<{ code: string }>({
    text: `SELECT m.code FROM messages m JOIN graphile_worker._private_jobs j ON j.xmin = m.xmin AND j.payload ->> 'messageId' = m.id::text
      ORDER BY m.id`,
  })
  expect(rows).toEqual([{ code: '11111' }, { code: '22222' }])
  expect(await count(t.ctx, 'graphile_worker.jobs')).toBe(2)
  await t.runJobs()
  expect(service.pushed.map(({ content }) => content)).toMatchObject([
    { title: 'Telegram: 11111', url: '/activations' },
    { title: expect.stringMatching(/: 22222$/), url: '/rent' },
  ])
})

test('a notification is pushed in the reader’s language, unless it was read or push is not wanted for it', async () => {
  await using t = await start()
  const user = await t.makeUser()
  await using service = await subscribed(t, user)
  const tell = (dedupeKey: string) =>
    notify(
      t.ctx.db,
      { userId: user.id, kind: 'ticket-answer', details: { subject: 'СМС' }, link: '/support/1', dedupeKey },
      t.clock.now(),
    )
  await tell('a')
  await t.runJobs()
  expect(service.pushed.map(({ content }) => content)).toMatchObject([
    { title: 'Поддержка ответила', body: 'СМС', url: '/support/1' },
  ])
  await tell('b')
  await call(t, 'POST /api/v1/notifications/read', { up_to: Number.MAX_SAFE_INTEGER }, { token: user.token })
  await call(t, 'PATCH /api/v1/notifications/settings', { choices: { support: ['site'] } }, { token: user.token })
  await tell('c')
  await t.runJobs()
  expect([service.pushed.length, service.faults]).toEqual([1, []])
})

const gone = async (t: TestApp, user: { token: string }) =>
  (await call(t, LIST, {}, user)).subscriptions.map(({ gone_at }) => gone_at !== null)

test.each([404, 410])(
  'a browser that is gone (%i) is forgotten, its person sees it, and it may subscribe again',
  async (status) => {
    await using t = await start()
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
  await using t = await start()
  const user = await t.makeUser()
  await using service = await subscribed(t, user)
  service.answerWith(503)
  await receiveCode(t, user)
  // In seconds. The last one is not long before the code is of no use.
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
  // A notice waits for a day.
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
  await using t = await start()
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
  // A round leaves jobs of a queue over.
  for (let n = 0; n < 6; n += 1) await t.hurryJobs()
  expect([service.pushed.length, service.faults]).toEqual([6, []])
  // Two failures with a quiet week between them say nothing.
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

test('a subscription ends with its session, however that ends', async () => {
  await using t = await start()
  const user = await t.makeUser()
  const ends: ((mine: { token: string; sessionId: bigint }) => Promise<unknown>)[] = [
    ({ sessionId }) => call(t, 'DELETE /api/v1/user/sessions/{id}', { id: sessionId.toString() }, user),
    () => call(t, 'DELETE /api/v1/user/sessions', {}, user),
  ]
  for (const end of ends) {
    const session = await beginTestSession(t.ctx, user.id)
    await using service = await subscribed(t, session)
    await end(session)
    expect(await count(t.ctx, 'push_subscriptions')).toBe(0)
    await receiveCode(t, user)
    expect(service.pushed).toEqual([])
  }
  // One that ran out, and was never ended.
  const session = await beginTestSession(t.ctx, user.id)
  await using service = await subscribed(t, session)
  t.clock.advance(90 * DAY)
  const fresh = await beginTestSession(t.ctx, user.id)
  await receiveCode(t, { ...user, token: fresh.token })
  expect(service.pushed).toEqual([])
})

test('somebody else’s is 404, the same browser has one, and nobody has more than ten', async () => {
  await using t = await start()
  const [user, other] = [await t.makeUser(), await t.makeUser()]
  await using service = await subscribed(t, user)
  expect((await refused(t, REMOVE, { id: service.id }, other)).body.code).toBe('NOT_FOUND')
  const { public_key } = await call(t, LIST, {}, user)
  expect((await call(t, LIST, {}, other)).public_key).toBe(public_key)
  const again = await call(t, SUBSCRIBE, service.subscribe(public_key), user)
  expect(again.subscriptions).toEqual([expect.objectContaining({ id: service.id, current: true })])
  for (let n = 0; n < 12; n += 1) await call(t, SUBSCRIBE, service.subscribe(public_key, `b${n}`), user)
  expect((await call(t, LIST, {}, user)).subscriptions).toHaveLength(10)
  // Whoever signs in there next takes the browser over.
  await call(t, SUBSCRIBE, service.subscribe(public_key, 'b11'), other)
  expect((await call(t, LIST, {}, user)).subscriptions).toHaveLength(9)
  const [mine] = (await call(t, LIST, {}, user)).subscriptions
  await call(t, REMOVE, { id: mine?.id ?? 0 }, user)
  expect((await call(t, LIST, {}, user)).subscriptions).toHaveLength(8)
})

test('what waits for a browser goes to nobody else who takes that browser over', async () => {
  await using t = await start()
  const [user, next] = [await t.makeUser(), await t.makeUser()]
  await using service = await subscribed(t, user)
  service.answerWith(503)
  await receiveCode(t, user)
  const { public_key } = await call(t, LIST, {}, next)
  const { subscriptions } = await call(t, SUBSCRIBE, service.subscribe(public_key), next)
  expect(subscriptions).toMatchObject([{ id: service.id }])
  service.answerWith(201)
  await t.hurryJobs()
  expect(service.pushed).toEqual([])
  await receiveCode(t, next)
  expect([service.pushed.length, service.faults]).toEqual([1, []])
})

test('an address inside, or a key that is none, is refused; a program has no browser', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  await using service = await startPushService()
  const { public_key } = await call(t, LIST, {}, user)
  const good = { ...service.subscribe(public_key), endpoint: 'https://push.example/abc' }
  for (const endpoint of [
    service.url,
    'https://127.0.0.1/',
    'https://[::ffff:10.0.0.1]/',
    'http://push.example/',
    'x',
  ]) {
    expect((await refused(t, SUBSCRIBE, { ...good, endpoint }, user)).body.errors).toHaveProperty('endpoint')
  }
  for (const keys of [
    { ...good.keys, p256dh: 'B'.repeat(87) },
    { ...good.keys, auth: 'short' },
    { p256dh: good.keys.p256dh },
  ]) {
    expect((await refused(t, SUBSCRIBE, { ...good, keys }, user)).body.code).toBe('INVALID_INPUT')
  }
  const key = await t.makeApiKey(user)
  expect((await refused(t, SUBSCRIBE, good, { token: key })).body.code).toBe('FORBIDDEN')
  expect((await refused(t, LIST, {}, { token: key })).body.code).toBe('FORBIDDEN')
  expect((await refused(t, LIST, {})).body.code).toBe('UNAUTHENTICATED')
})

test('only real push services stand in their queues; a code goes before a notice', async () => {
  await using t = await startTestApp()
  const known = [
    ...['https://fcm.googleapis.com/fcm/send/a', 'https://updates.push.services.mozilla.com/wpush/v2/a'],
    ...['https://web.push.apple.com/a', 'https://wns2-by3p.notify.windows.com/w/?token=a'],
  ]
  const other = [
    ...['https://fcm.googleapis.com:444/a', 'https://storage.googleapis.com/a', 'https://a.fcm.googleapis.com/a'],
    ...['https://evilnotify.windows.com/a', 'https://push.apple.com.evil.example/a', 'http://fcm.googleapis.com/a'],
  ]
  expect(known.map(queueOf)).toEqual(known.map(() => expect.stringMatching(/^push-known-[0-2]$/)))
  expect(other.map(queueOf)).toEqual(other.map(() => expect.stringMatching(/^push-other-0$/)))
  const spread = new Set(Array.from({ length: 100 }, (_, n) => queueOf(`https://fcm.googleapis.com/fcm/send/${n}`)))
  expect(spread.size).toBe(3)

  const user = await t.makeUser()
  await using service = await startPushService()
  const { public_key } = await call(t, LIST, {}, user)
  const { keys } = service.subscribe(public_key)
  const refusal = await refused(t, SUBSCRIBE, { endpoint: 'https://fcm.googleapis.com:444/a', keys }, user)
  expect(refusal.body.errors).toHaveProperty('endpoint')
  await call(t, SUBSCRIBE, { endpoint: known[0] ?? '', keys }, user)
  const until = new Date(t.clock.now().getTime() + MINUTE)
  const pushed = { userId: user.id, until, contentIn: () => ({ title: '', body: '', url: '/', tag: '' }) }
  await queuePush(t.ctx, { ...pushed, notificationId: '1' })
  await queuePush(t.ctx, { ...pushed, contentIn: () => ({ title: '', body: '', url: '/', tag: 'code' }) })
  const { rows } = await t.ctx.db.query<{ key: string }>({
    text: `SELECT key FROM graphile_worker.jobs WHERE task_identifier = 'send-push' ORDER BY priority, id`,
  })
  expect(rows.map(({ key }) => key.endsWith(':code'))).toEqual([true, false])
})
