import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { CERTIFICATE, KEY } from '#test/fakes/loopback-certificate.ts'
import { answering, startReceiver } from '#test/fakes/webhook-receiver.ts'
import { call } from '#test/harness/calls.ts'
import { beginTestSession, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { deliveriesOf, hook, startHooked } from '#test/services/webhook-service.ts'
import { webhookPostOf } from './post.ts'
import { sendDue, startWebhooks } from './send-due.ts'

const sendTest = (t: TestApp, user: TestUser, id: number) => call(t, 'POST /api/v1/webhooks/{id}/test', { id }, user)
const replay = (t: TestApp, user: TestUser, id: number, delivery: number) =>
  call(t, 'POST /api/v1/webhooks/{id}/deliveries/{delivery}/replay', { id, delivery }, user)

async function programOf(t: TestApp): Promise<TestUser> {
  const user = await t.makeUser()
  return { ...user, token: await t.makeApiKey(user) }
}

async function untilGivenUp(t: TestApp, user: TestUser, id: number): Promise<number[]> {
  const waits: number[] = []
  for (;;) {
    await sendDue(t.ctx)
    const [newest] = await deliveriesOf(t, user, id)
    if (newest?.next_at == null) return waits
    const wait = Date.parse(newest.next_at) - t.clock.now().getTime()
    waits.push(wait / SECOND)
    t.clock.advance(Math.max(wait, 5 * MINUTE))
  }
}

test('17.5: whatever a receiver does wrong is written down, cut short, and tried again', async () => {
  await using t = await startHooked()
  await using receiver = await startReceiver()
  await using stack = new AsyncDisposableStack()
  const user = await t.makeUser()
  webhookPostOf(t.ctx).timeLimitMs = 2 * SECOND
  const tls = createServer({ cert: CERTIFICATE, key: KEY }, (_request, response) => response.end())
  tls.listen(0, '127.0.0.1')
  await once(tls, 'listening')
  stack.defer(() => {
    tls.close()
    tls.closeAllConnections()
  })
  const gone = await startReceiver()
  await gone[Symbol.asyncDispose]()
  receiver.answer = (response, { path }) => {
    if (path === '/500') return response.writeHead(500).end('our fault')
    if (path === '/moved') return response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end()
    if (path === '/garbage') return response.socket?.end('HTTP/9.9 what\r\n\r\n')
    if (path === '/cut') return response.destroy()
    if (path === '/hints') return response.socket?.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000))
    if (path === '/large') return response.end('\0'.repeat(1_000) + 'x'.repeat(1_000_000))
    if (path === '/drip') return response.writeHead(200).write('x')
  }
  const { origin } = new URL(receiver.url)
  const cases: [url: string, expected: object][] = [
    [`${origin}/500`, { state: 'waiting', status: 500, failure: 'status', reply: 'our fault' }],
    [`${origin}/moved`, { state: 'waiting', status: 302, failure: 'status' }],
    [`${origin}/garbage`, { state: 'waiting', status: null, failure: 'broken' }],
    [`${origin}/cut`, { state: 'waiting', failure: 'broken' }],
    [`${origin}/hints`, { state: 'waiting', status: null, failure: 'broken' }],
    [`${origin}/silent`, { state: 'waiting', failure: 'timeout' }],
    [`${origin}/drip`, { state: 'waiting', failure: 'timeout' }],
    [`${origin}/large`, { state: 'delivered', status: 200, reply: 'x'.repeat(1_048) }],
    [gone.url, { state: 'waiting', failure: 'unreached' }],
    [`https://127.0.0.1:${(tls.address() as AddressInfo).port}/`, { state: 'waiting', failure: 'tls' }],
  ]
  const hooks: { id: number; url: string }[] = []
  for (const [url] of cases) {
    const made = await hook(t, user, { url })
    await sendTest(t, user, made.id)
    hooks.push(made)
  }
  await sendDue(t.ctx)
  for (const [place, [url, expected]] of cases.entries()) {
    const [one] = await deliveriesOf(t, user, hooks[place]?.id ?? 0)
    expect({ url, ...one }).toMatchObject({ url, tries: 1, ...expected })
  }
  expect(receiver.received.map(({ path }) => path)).not.toContain('/elsewhere')
})

test('17.5: tries come later and later for a day, then it is given up; a replay begins them anew with the same id', async () => {
  await using t = await startHooked()
  await using receiver = await startReceiver()
  const user = await programOf(t)
  receiver.answer = answering(503)
  const [signed, field] = [
    await hook(t, user, { url: receiver.url }),
    await hook(t, user, { url: receiver.url, form: 'field' }),
  ]
  await sendTest(t, user, signed.id)
  const waits = await untilGivenUp(t, user, signed.id)
  expect(waits).toEqual([...waits].sort((a, b) => a - b))
  const total = waits.reduce((sum, wait) => sum + wait, 0) * SECOND
  expect([waits.length, total > 0.9 * DAY, total < DAY]).toEqual([10, true, true])
  const [failed] = await deliveriesOf(t, user, signed.id)
  expect(failed).toMatchObject({ state: 'failed', tries: 11, status: 503, next_at: null })
  receiver.answer = answering(200, 'ok')
  await replay(t, user, signed.id, failed?.id ?? 0)
  t.clock.advance(5 * MINUTE)
  await sendDue(t.ctx)
  expect(await deliveriesOf(t, user, signed.id)).toMatchObject([{ state: 'delivered', tries: 1, failure: null }])
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([failed?.webhook_id]))
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  receiver.answer = answering(503)
  await sendTest(t, user, field.id)
  const repeats = await untilGivenUp(t, user, field.id)
  expect([repeats.length, repeats.reduce((sum, wait) => sum + wait, 0) <= 7_200]).toEqual([8, true])
})

test('17.5: events of one activation arrive in order, and wait for each other alone', async () => {
  await using t = await startHooked()
  await using receiver = await startReceiver()
  const user = await t.makeUser()
  await hook(t, user, { url: receiver.url })
  const supplier = await t.addFake()
  const [one, other] = [await buyOne(t, user), await buyOne(t, user)]
  for (const text of ['Code 1001', 'Code 1002', 'Code 1003']) await pushSms(t, supplier, { phone: one.phone, text })
  await pushSms(t, supplier, { phone: other.phone, text: 'Code 2001' })
  const codes = () => receiver.events().map(({ data }) => (data.message as { code: string }).code)
  receiver.answer = (response, { body }) => response.writeHead(body.includes('1001') ? 500 : 204).end()
  await sendDue(t.ctx)
  expect(codes()).toEqual(['1001', '2001'])
  receiver.answer = answering(204)
  t.clock.advance(5 * SECOND)
  await sendDue(t.ctx)
  expect(codes()).toEqual(['1001', '2001', '1001', '1002', '1003'])
})

test('17.5: endpoints that hang keep no other waiting, however many and however much waits for them', async () => {
  await using t = await startHooked()
  await using hanging = await startReceiver()
  await using healthy = await startReceiver()
  const [bad, good] = [await t.makeUser(), await t.makeUser()]
  const heard = Promise.withResolvers<void>()
  hanging.answer = () => undefined
  healthy.answer = (response) => {
    response.end()
    if (healthy.received.length === 20) heard.resolve()
  }
  for (let made = 0; made < 10; made += 1) {
    const { id } = await hook(t, bad, { url: hanging.url })
    await t.ctx.db.query({
      text: `INSERT INTO webhook_deliveries (endpoint_id, event, subject, details, at, next_at)
        SELECT $1, 'test', 'test:' || n, '{}', $2, $2 FROM generate_series(1, 500) n`,
      values: [id, t.clock.now()],
    })
  }
  const { id } = await hook(t, good, { url: healthy.url })
  const running = startWebhooks(t.ctx)
  for (let sent = 0; sent < 20; sent += 1) await sendTest(t, good, id)
  await heard.promise
  expect(hanging.received).toHaveLength(10)
  await running.stop()
  const { data } = await call(t, 'GET /api/v1/webhooks', {}, bad)
  expect(data.map(({ failing_since }) => failing_since)).toEqual(Array.from({ length: 10 }, () => null))
})

test('17.5: a crash between the delivery and its mark sends it again, with the same id', async () => {
  await using t = await startHooked()
  await using receiver = await startReceiver()
  const user = await t.makeUser()
  const { id } = await hook(t, user, { url: receiver.url })
  await sendTest(t, user, id)
  webhookPostOf(t.ctx).storeAgainMs = 1
  const rename = (from: string, to: string) => t.ctx.db.query({ text: `ALTER TABLE ${from} RENAME TO ${to}` })
  receiver.answer = (response) => {
    t.ctx.background.run('a crash', async () => {
      await rename('webhook_deliveries', 'away')
      response.end()
    })
  }
  await expect(sendDue(t.ctx)).rejects.toThrow('webhook_deliveries')
  await rename('away', 'webhook_deliveries')
  receiver.answer = answering(200)
  await sendDue(t.ctx)
  expect(receiver.received).toHaveLength(2)
  expect(new Set(receiver.received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).toBe(1)
  expect(await deliveriesOf(t, user, id)).toMatchObject([{ state: 'delivered', tries: 1 }])
})

test('17.5: while the database takes no writes, what was taken is not sent again and again; a lost answer counts once', async () => {
  await using t = await startHooked()
  await using receiver = await startReceiver()
  const user = await t.makeUser()
  const { id } = await hook(t, user, { url: receiver.url })
  receiver.answer = answering(503)
  await sendTest(t, user, id)
  webhookPostOf(t.ctx).storeAgainMs = 1
  const query = t.ctx.db.query.bind(t.ctx.db)
  let failures = 0
  t.ctx.db.query = async (given) => {
    if (given.name !== 'webhook-settle') return query(given)
    failures += 1
    if (failures === 20) await query(given)
    if (failures <= 20) throw new Error('Query read timeout')
    return query(given)
  }
  await sendDue(t.ctx)
  t.ctx.db.query = query
  expect([receiver.received.length, failures]).toEqual([1, 21])
  expect(await deliveriesOf(t, user, id)).toMatchObject([{ state: 'waiting', tries: 1 }])
  const { rows } = await query<{ failures: number }>({ text: 'SELECT failures FROM webhook_endpoints' })
  expect(rows).toEqual([{ failures: 1 }])
  webhookPostOf(t.ctx).storeAgainMs = DAY
  const refused = Promise.withResolvers<void>()
  t.ctx.db.query = async (given) => {
    if (given.name !== 'webhook-settle') return query(given)
    refused.resolve()
    throw new Error('Query read timeout')
  }
  t.clock.advance(MINUTE)
  const running = startWebhooks(t.ctx)
  await refused.promise
  await running.stop()
  t.ctx.db.query = query
  expect(await deliveriesOf(t, user, id)).toMatchObject([{ state: 'waiting', tries: 1 }])
})

test('17.5: a replay during a try is not ended by the answer to that try', async () => {
  await using t = await startHooked()
  await using receiver = await startReceiver()
  const user = await t.makeUser()
  const { id } = await hook(t, user, { url: receiver.url })
  const { data } = await sendTest(t, user, id)
  receiver.answer = (response) => {
    receiver.answer = answering(200)
    t.ctx.background.run('a replay', async () => {
      await replay(t, user, id, data.id)
      response.end()
    })
  }
  await sendDue(t.ctx)
  expect(receiver.received).toHaveLength(2)
  expect(await deliveriesOf(t, user, id)).toMatchObject([{ state: 'delivered', tries: 1 }])
})

test('17.5: an endpoint that takes nothing for days, or says 410, is switched off, and its owner is told', async () => {
  await using t = await startHooked()
  await using receiver = await startReceiver()
  const user = await programOf(t)
  const [failing, gone] = [
    await hook(t, user, { url: receiver.url }),
    await hook(t, user, { label: 'Other', url: `${receiver.url}/gone` }),
  ]
  receiver.answer = (response, one) => answering(one.path.endsWith('/gone') ? 410 : 500)(response, one)
  await sendTest(t, user, gone.id)
  for (let days = 0; days < 4; days += 1) {
    await sendTest(t, user, failing.id)
    await untilGivenUp(t, user, failing.id)
  }
  const listed = async () => (await call(t, 'GET /api/v1/webhooks', {}, user)).data
  expect(await listed()).toMatchObject([
    { on: false, off_reason: 'gone' },
    { on: false, off_reason: 'failing' },
  ])
  const { notifications } = await call(
    t,
    'GET /api/v1/notifications',
    {},
    {
      ...(await beginTestSession(t.ctx, user.id)),
      locale: 'en',
    },
  )
  expect(notifications.map(({ title, link }) => [title, link])).toEqual([
    ['The webhook Shop has been switched off', '/settings/api'],
    ['The webhook Other has been switched off', '/settings/api'],
  ])
  const before = receiver.received.length
  const supplier = await t.addFake()
  await pushSms(t, supplier, { phone: (await buyOne(t, user)).phone })
  await sendDue(t.ctx)
  expect(receiver.received).toHaveLength(before)
  receiver.answer = answering(204)
  await call(t, 'PATCH /api/v1/webhooks/{id}', { id: failing.id, on: true }, user)
  await sendTest(t, user, failing.id)
  await sendDue(t.ctx)
  expect((await deliveriesOf(t, user, failing.id))[0]).toMatchObject({ state: 'delivered' })
  expect((await listed())[1]).toMatchObject({ on: true, off_reason: null, failing_since: null })
})
