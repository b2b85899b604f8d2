import { expect, test } from 'vitest'
import { DAY, MINUTE } from '#contract/time.ts'
import { notify } from '#server/core/notifications/notify.ts'
import { buyOne, count, pushSms } from '#test/builders/activation-rows.ts'
import { sentMails } from '#test/builders/mails.ts'
import { linkChat, workOffInOrder } from '#test/builders/telegram.ts'
import { startPushService } from '#test/fakes/push-service.ts'
import { openTelegramHouse } from '#test/fakes/telegram/telegram-house.ts'
import { call, refused } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { receiveCode, startPushing, subscribed } from '#test/services/push-service.ts'
import { queueOf, queuePush } from './queue-push.ts'

const LIST = 'GET /api/v1/push'
const SUBSCRIBE = 'POST /api/v1/push/subscriptions'
const REMOVE = 'DELETE /api/v1/push/subscriptions/{id}'
test('a code reaches a closed page: only its browser can read it, and knows who sends', async () => {
  await using t = await startPushing()
  const user = await t.makeUser()
  await using service = await subscribed(t, user)
  await receiveCode(t, user)
  expect(service.faults).toEqual([])
  const [one, ...others] = service.pushed
  expect(others).toEqual([])
  expect(one).toMatchObject({
    content: { title: 'Telegram: 48213', url: '/activations', tag: expect.stringMatching(/^message-\d+$/) },
    ttl: 600,
    urgency: 'high',
  })
  expect(one?.raw.includes('48213')).toBe(false)
  expect(one?.raw.includes('Telegram')).toBe(false)
  const { rows } = await t.ctx.db.query<{ sealed: object }>({ text: 'SELECT sealed FROM push_subscriptions' })
  expect(JSON.stringify(rows)).not.toContain('127.0.0.1')
})

test('an open tab needs no push; without a subscription nothing is queued', async () => {
  await using t = await startPushing()
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
  using _tab = await listen(t, user)
  const told = { kind: 'new-device' as const, details: { device: 'Chrome', address: '203.0.113.66' } }
  await notify(t.ctx.db, { userId: user.id, ...told, link: '/settings/sessions', dedupeKey: 'a' }, t.clock.now())
  await call(t, 'POST /api/v1/notifications/read', { up_to: Number.MAX_SAFE_INTEGER }, user)
  await t.runJobs()
  expect(service.pushed).toMatchObject([{}, { urgency: 'high', content: { url: '/settings/sessions' } }])
  expect(house.sent.filter(({ text }) => text.includes('203.0.113.66'))).toHaveLength(1)
})

test('OP-1: a closed notice is told by the page alone: no push, no chat, no bell, no letter, no event', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: { ...house.environment, OUTBOUND_PRIVATE_HOSTS: '127.0.0.1' } })
  const user = await t.makeUser({ balance: '50.00' })
  await linkChat(t, house, { user, person: 1001 })
  await using service = await subscribed(t, user)
  await call(t, 'POST /api/v1/webhooks', { label: 'Shop', url: 'http://127.0.0.1:9/' }, user)
  const supplier = await t.addFake()
  const { id, phone } = await buyOne(t, user)
  const told = async () => {
    await workOffInOrder(t)
    const rows = ['notifications', 'telegram_codes', 'webhook_deliveries'].map((table) => count(t.ctx, table))
    return [service.pushed.length, house.sent.length, (await sentMails(t)).length, ...(await Promise.all(rows))]
  }
  const before = await told()
  await pushSms(t, supplier, { phone, text: 'New sign-in to Telegram from Chrome on Windows' })
  expect(await told()).toEqual(before)
  await call(t, 'POST /api/v1/activations/{id}/open', { id }, user)
  expect(await told()).toEqual(before)
  await pushSms(t, supplier, { phone })
  const pushedAfterJobs = async () => {
    await workOffInOrder(t)
    return service.pushed
  }
  await expect.poll(pushedAfterJobs).toMatchObject([{ content: { title: 'Telegram: 48213' } }])
  expect(await count(t.ctx, 'webhook_deliveries')).toBe(1)
})

test('a notification is pushed in the reader’s language, unless it was read or push is not wanted for it', async () => {
  await using t = await startPushing()
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

test('a subscription ends with its session, however that ends', async () => {
  await using t = await startPushing()
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
  const session = await beginTestSession(t.ctx, user.id)
  await using service = await subscribed(t, session)
  t.clock.advance(90 * DAY)
  const fresh = await beginTestSession(t.ctx, user.id)
  await receiveCode(t, { ...user, token: fresh.token })
  expect(service.pushed).toEqual([])
})

test('somebody else’s is 404, the same browser has one, and nobody has more than ten', async () => {
  await using t = await startPushing()
  const [user, other] = [await t.makeUser(), await t.makeUser()]
  await using service = await subscribed(t, user)
  expect((await refused(t, REMOVE, { id: service.id }, other)).body.code).toBe('NOT_FOUND')
  const { public_key } = await call(t, LIST, {}, user)
  expect((await call(t, LIST, {}, other)).public_key).toBe(public_key)
  const again = await call(t, SUBSCRIBE, service.subscribe(public_key), user)
  expect(again.subscriptions).toEqual([expect.objectContaining({ id: service.id, current: true })])
  for (let n = 0; n < 12; n += 1) await call(t, SUBSCRIBE, service.subscribe(public_key, `b${n}`), user)
  expect((await call(t, LIST, {}, user)).subscriptions).toHaveLength(10)
  await call(t, SUBSCRIBE, service.subscribe(public_key, 'b11'), other)
  expect((await call(t, LIST, {}, user)).subscriptions).toHaveLength(9)
  const [mine] = (await call(t, LIST, {}, user)).subscriptions
  await call(t, REMOVE, { id: mine?.id ?? 0 }, user)
  expect((await call(t, LIST, {}, user)).subscriptions).toHaveLength(8)
})

test('what waits for a browser goes to nobody else who takes that browser over', async () => {
  await using t = await startPushing()
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
    'https://fcm.googleapis.com/fcm/send/a',
    'https://updates.push.services.mozilla.com/wpush/v2/a',
    'https://web.push.apple.com/a',
    'https://wns2-by3p.notify.windows.com/w/?token=a',
  ]
  const other = [
    'https://fcm.googleapis.com:444/a',
    'https://storage.googleapis.com/a',
    'https://a.fcm.googleapis.com/a',
    'https://evilnotify.windows.com/a',
    'https://push.apple.com.evil.example/a',
    'http://fcm.googleapis.com/a',
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
