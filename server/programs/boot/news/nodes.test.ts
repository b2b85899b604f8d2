import { expect, test } from 'vitest'
import { userChannel } from '#contract/live-events.ts'
import { MINUTE, SECOND } from '#contract/time.ts'
import { cancelActivation } from '#server/core/numbers/activations/cancel.ts'
import { openTicket } from '#server/core/support/open-ticket.ts'
import { followUser, missAll, tellWhoMissed } from '#server/house/news/follow-user.ts'
import { NODES, newsChannel } from '#server/house/news/news.ts'
import { tellUser } from '#server/house/news/tell.ts'
import type { Redis } from '#server/house/redis/redis.ts'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { call } from '#test/harness/calls.ts'
import { listen } from '#test/harness/live-listener.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { startNodes } from '#test/services/nodes.ts'
import { subscribed } from '#test/services/push-service.ts'
import { TestSocket, welcomed } from '#test/services/realtime-service.ts'

const program = requireProgram('redis-server')
const GET = 'GET /api/v1/activations/{id}'

/** Hears what nodes tell on a channel, from the moment when the subscription holds. */
async function overhear(redis: Redis, channel: string): Promise<string[]> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const heard: string[] = []
  redis.subscribe(channel, { hear: (message) => heard.push(message.replace(/^\d+ \S+ /, '')), missed: resolve })
  await promise
  return heard
}

test.runIf(program)('what one node stores reaches the sockets of another, in order and with its contents', async () => {
  await using nodes = await startNodes(program)
  const { a, b, supplier } = nodes
  const buyer = await a.makeUser({ balance: '100.00' })
  using page = await listen(b, buyer)
  const { id, phone } = await buyOne(a, buyer)
  expect(await page.next('ActivationChanged')).toMatchObject({ record: { id, phone, state: 'waiting' } })
  const codes = ['11111', '22222', '33333', '44444', '55555']
  for (const code of codes) await pushSms(a, supplier, { phone, text: `Telegram code: ${code}`, messageId: code })
  for (const code of codes) expect((await page.next('NewCode')).message.code).toBe(code)
  await call(a, 'POST /api/v1/activations/{id}/finish', { id }, buyer)
  expect(await page.next('ActivationChanged')).toMatchObject({ record: { id, state: 'finished' } })
})

test.runIf(program)(
  'a balancer may send a socket to one node, and the request that authorises it to the other',
  async () => {
    await using nodes = await startNodes(program)
    const { a, b, supplier } = nodes
    const [buyer, other] = [await a.makeUser({ balance: '100.00' }), await a.makeUser()]
    const { phone } = await buyOne(a, buyer)
    using page = await listen({ ...b, fetch: a.fetch }, buyer)
    await pushSms(a, supplier, { phone, messageId: '1' })
    expect((await page.next('NewCode')).message.code).toBe('48213')

    using socket = new TestSocket(`${b.url.replace('http', 'ws')}/app/${b.ctx.config.realtime.appKey}?protocol=7`)
    const socketId = await welcomed(socket)
    const sign = async (id: string) => {
      const body = new URLSearchParams({ socket_id: id, channel_name: userChannel(other.id) })
      const response = await a.fetch('/broadcasting/auth', { method: 'POST', token: other.token, body })
      return ((await response.json()) as { auth: string }).auth
    }
    const enter = (auth: string, channel = userChannel(other.id)) =>
      socket.ask({ event: 'pusher:subscribe', data: { auth, channel } })
    expect(await enter(await sign('1.1'))).toContain('not valid')
    const auth = await sign(socketId)
    expect(await enter(auth, userChannel(buyer.id))).toContain('not valid')
    expect(await enter(`${auth}x`)).toContain('not valid')
    b.clock.advance(31 * SECOND)
    expect(await enter(auth)).toContain('not valid')
    expect(await enter(await sign(socketId))).toContain('subscription_succeeded')
    await call(a, 'POST /api/logout', {}, other)
    expect((await socket.closed).code).toBe(4009)
  },
)

test.runIf(program)(
  'a page is let into its channel once its events arrive, but after a second in any case',
  async () => {
    await using nodes = await startNodes(program)
    const { a, b } = nodes
    const user = await a.makeUser()
    using socket = new TestSocket(`${b.url.replace('http', 'ws')}/app/${b.ctx.config.realtime.appKey}?protocol=7`)
    const body = new URLSearchParams({ socket_id: await welcomed(socket), channel_name: userChannel(user.id) })
    const response = await b.fetch('/broadcasting/auth', { method: 'POST', token: user.token, body })
    const { auth } = (await response.json()) as { auth: string }
    nodes.redis.freeze()
    socket.say({ event: 'pusher:subscribe', data: { auth, channel: userChannel(user.id) } })
    await socket.settled()
    expect(await socket.next()).toContain('subscription_succeeded')
    nodes.redis.thaw()
    expect(await socket.next()).toContain('EventsMissed')
  },
  20_000,
)

test.runIf(program)('a page hears each event once, also at the node that tells it', async () => {
  await using nodes = await startNodes(program)
  const { a, b, supplier } = nodes
  const buyer = await a.makeUser({ balance: '100.00' })
  const { phone } = await buyOne(a, buyer)
  using here = await listen(a, buyer)
  using there = await listen(b, buyer)
  await pushSms(a, supplier, { phone, messageId: '1' })
  await call(a, 'POST /api/v1/support/tickets', { category: 'other', subject: 'Help', text: 'Please' }, buyer)
  for (const page of [here, there]) expect(await page.heard('NewMessage')).toEqual(['NewCode', 'NewMessage'])
})

test.runIf(program)('a call that waits at one node hears of a code stored at another, also without Redis', async () => {
  await using nodes = await startNodes(program)
  const { a, b, supplier } = nodes
  const buyer = await a.makeUser({ balance: '100.00' })
  const waiting = async () => (await b.ctx.metrics.waitingCalls.get()).values[0]?.value ?? 0
  for (const isAway of [false, true]) {
    const { id, phone } = await buyOne(a, buyer)
    const answer = call(b, GET, { id, wait: 30 }, buyer)
    await expect.poll(waiting).toBe(1)
    if (isAway) await nodes.redis.kill()
    await pushSms(a, supplier, { phone, messageId: `${id}` })
    // The call would end by itself after half a minute.
    await expect.poll(waiting, { timeout: 10_000 }).toBe(0)
    expect(await answer).toMatchObject({ data: { id, state: 'received', code: '48213' } })
  }
})

test.runIf(program)(
  'while Redis is away a page is told to fetch, and afterwards it hears events again',
  async () => {
    await using nodes = await startNodes(program)
    const { a, b, supplier } = nodes
    const buyer = await a.makeUser({ balance: '100.00' })
    const { phone } = await buyOne(a, buyer)
    using page = await listen(b, buyer)
    await nodes.redis.kill()
    await pushSms(a, supplier, { phone, messageId: '1' })
    await page.next('EventsMissed')
    await nodes.redis.start()
    const hearers = () => nodes.redis.ask('PUBSUB', 'SHARDNUMSUB', `shop:${newsChannel(buyer.id)}`)
    await expect.poll(hearers, { timeout: 5_000 }).toMatch(/\n1\n$/)
    await page.next('EventsMissed')
    await pushSms(a, supplier, { phone, text: 'Telegram code: 90210', messageId: '2' })
    expect((await page.next('NewCode')).message.code).toBe('90210')
  },
  30_000,
)

test.runIf(program)(
  'a gap in the sequence, and news of an unknown kind, make a page fetch',
  async () => {
    await using nodes = await startNodes(program)
    const { a, b } = nodes
    const buyer = await a.makeUser()
    using page = await listen(b, buyer)
    const channel = newsChannel(buyer.id)
    const redis = nodes.connect()
    await expect.poll(() => redis.isUp).toBe(true)
    await redis.publish(channel, '7 other {"kind":"balance"}')
    await redis.publish(channel, '9 other {"kind":"balance"}')
    expect(await page.heard('EventsMissed')).toEqual(['BalanceTopup', 'BalanceTopup', 'EventsMissed'])
    await redis.publish(channel, '10 other {"kind":"of a later release"}')
    await page.next('EventsMissed')
  },
  20_000,
)

test.runIf(program)(
  'a node that could not tell its news says so, and all pages fetch',
  async () => {
    await using nodes = await startNodes(program)
    const { a, b } = nodes
    const buyer = await a.makeUser()
    using page = await listen(b, buyer)
    await nodes.redis.ask('SCRIPT', 'FLUSH')
    nodes.redis.freeze()
    tellUser(a.ctx, buyer.id, { kind: 'balance' })
    await a.ctx.background.idle()
    nodes.redis.thaw()
    await page.next('EventsMissed')
  },
  20_000,
)

test.runIf(program)('once Redis is back, every page is told to fetch within two seconds', async () => {
  await using nodes = await startNodes(program)
  const { a, b } = nodes
  const told = new Set<number>()
  const users = await Promise.all([1, 2, 3, 4, 5].map(() => a.makeUser()))
  for (const { id } of users) followUser(b.ctx, id, { kind: 'page', missed: () => told.add(id) })
  await expect.poll(() => b.ctx.redis?.isUp).toBe(true)
  missAll(b.ctx)
  for (const second of [1, 2]) tellWhoMissed(b.ctx, second)
  expect(told).toEqual(new Set(users.map(({ id }) => id)))
})

test.runIf(program)('what ends at one node ends at the other: sessions, keys, and their sockets', async () => {
  await using nodes = await startNodes(program)
  const { a, b } = nodes
  const user = await a.makeUser()
  const { data, secret } = await call(a, 'POST /api/v1/keys', { name: 'Reader', scopes: ['read'] }, user)
  const reader = { token: secret }
  const read = async () =>
    (await b.fetch('/stubs/handler_api.php?action=getBalance', { headers: { 'x-api-key': secret } })).text()
  expect(await read()).toBe('ACCESS_BALANCE:100.00')
  using socket = await listen(b, { ...user, ...reader })
  using page = await listen(b, user)
  await call(a, 'DELETE /api/v1/keys/{id}', { id: data.id }, user)
  expect((await socket.closed).code).toBe(4009)
  // The test clock stands still, so a remembered look-up of the key would never age.
  expect(await read()).toBe('BAD_KEY')
  await call(a, 'POST /api/logout', {}, user)
  expect((await page.closed).code).toBe(4009)
})

test.runIf(program)('somebody at a page of any node gets no push; a subscription is known at all nodes', async () => {
  await using nodes = await startNodes(program, { environment: { OUTBOUND_PRIVATE_HOSTS: '127.0.0.1' } })
  const { a, b, supplier } = nodes
  const user = await a.makeUser({ balance: '100.00' })
  const receive = async (messageId: string) => {
    const { phone } = await buyOne(a, user)
    await pushSms(a, supplier, { phone, messageId })
    await a.runJobs()
  }
  // Node A knows the subscribers from here on.
  await using _other = await subscribed(a, await a.makeUser())
  await using service = await subscribed(b, user)
  const page = await listen(b, user)
  await receive('seen')
  expect(service.pushed).toEqual([])
  page[Symbol.dispose]()
  await expect.poll(() => b.ctx.realtime.stats().sockets).toBe(0)
  await expect.poll(() => a.ctx.redis?.publish(`tabs:{${user.id}}`, '')).toBe(0)
  await receive('unseen')
  expect(service.pushed).toHaveLength(1)
})

test.runIf(program)('nothing is told of what was rolled back', async () => {
  await using nodes = await startNodes(program)
  const { a, supplier } = nodes
  const buyer = await a.makeUser({ balance: '100.00' })
  const redis = nodes.connect()
  const { id, phone } = await buyOne(a, buyer)
  await a.ctx.background.idle()
  // A number may be cancelled only after a while.
  a.clock.advance(3 * MINUTE)
  const heard = await overhear(redis, newsChannel(buyer.id))
  const forAll = await overhear(redis, NODES)
  await a.ctx.db.query({
    text: `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no commit'; END $$`,
  })
  // A deferred trigger fails at the commit, after every statement of the transaction.
  const uncommitted = async (table: string, work: () => Promise<unknown>) => {
    await a.ctx.db.query({
      text: `CREATE CONSTRAINT TRIGGER refuse AFTER INSERT OR UPDATE ON ${table} DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()`,
    })
    await expect(work()).rejects.toThrow('no commit')
    await a.ctx.db.query({ text: `DROP TRIGGER refuse ON ${table}` })
  }
  const words = { category: 'other' as const, subject: 'Help', text: 'Please' }
  const ticket = { ...words, userId: buyer.id, about: undefined, files: [], idempotencyKey: undefined }
  await uncommitted('messages', () => pushSms(a, supplier, { phone, messageId: '1' }))
  await uncommitted('activations', () => cancelActivation(a.ctx, { activationId: id, userId: buyer.id }))
  await uncommitted('support_messages', () => openTicket(a.ctx, ticket))
  await pushSms(a, supplier, { phone, messageId: '1' })
  await call(a, 'POST /api/logout', {}, buyer)
  await expect.poll(() => forAll).toEqual([`{"kind":"sessions-ended","sessions":["${buyer.sessionId}"]}`])
  expect(heard).toEqual([expect.stringMatching(/^{"kind":"message","id":"\d+"}$/)])
})

test.runIf(program)('a message that is no news ends no node, and what is told afterwards is heard', async () => {
  await using nodes = await startNodes(program)
  const { a, b } = nodes
  const buyer = await a.makeUser({ balance: '100.00' })
  using page = await listen(b, buyer)
  for (const channel of [NODES, newsChannel(buyer.id)]) {
    for (const message of ['0 somebody {not json', '0 somebody null', '7 somebody 5', 'nothing']) {
      await a.ctx.redis?.publish(channel, message)
    }
  }
  expect(await page.next('EventsMissed')).toEqual({})
  const { id } = await buyOne(a, buyer)
  expect(await page.next('ActivationChanged')).toMatchObject({ record: { id } })
})
