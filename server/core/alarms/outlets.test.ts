import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '#contract/time.ts'
import { storeRating, takeMarker } from '#server/adapters/shared/resold/queries/accounts.ts'
import { flushHealth } from '#server/core/catalog/health/flush-health.ts'
import { changeStanding } from '#server/core/catalog/health/queries/standings.ts'
import { readBalances } from '#server/core/catalog/health/read-balances.ts'
import { refreshOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import { loadHealth } from '#server/core/catalog/standing/load-health.ts'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { sentMails } from '#test/builders/mails.ts'
import { makeStaff } from '#test/builders/staff.ts'
import type { FakeSupplier } from '#test/fakes/fake-supplier.ts'
import { listenOnLoopback } from '#test/fakes/loopback-server.ts'
import { openTelegramHouse } from '#test/fakes/telegram/telegram-house.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { createTestClock } from '#test/harness/test-clock.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { watchService } from './watch-service.ts'

const ALARM_MAIL = 'night@example.test'

async function look(t: TestApp): Promise<void> {
  await flushHealth(t.ctx)
  await Promise.all([watchService(t.ctx), watchService(t.ctx)])
  await watchService(t.ctx)
}

const told = async (t: TestApp) =>
  (await sentMails(t)).map(({ mail }) => {
    if (mail.kind !== 'alarm') throw new Error('another mail')
    return `${mail.alarm} ${mail.about}${mail.over ? ' over' : ''}`
  })

test('a supplier that is set aside, low on numbers or on money, or silent while people wait is told once, and once over', async () => {
  const environment = { ALARM_MAIL, ALARM_STOCK: '50', ALARM_BALANCE_RUB: '500.00' }
  await using t = await startTestApp({ environment })
  const supplier = await t.addFake('range')
  const offer = supplier.offers[0]
  if (offer === undefined) throw new Error('no offer')
  await look(t)
  expect(await told(t)).toEqual([])
  const change = { supplierId: supplier.id, reason: 'test', falls: 1, now: t.clock.now() }
  await changeStanding(t.ctx.db, { ...change, kind: 'set-aside', cause: 'errors', tryAt: t.clock.now(), version: 0 })
  await look(t)
  await changeStanding(t.ctx.db, { ...change, kind: 'returned', cause: null, tryAt: null, version: 1 })
  await look(t)
  await changeStanding(t.ctx.db, { ...change, kind: 'set-aside', cause: 'share', tryAt: t.clock.now(), version: 2 })
  await look(t)
  await changeStanding(t.ctx.db, { ...change, kind: 'returned', cause: null, tryAt: null, version: 3 })
  await look(t)
  expect(await told(t)).toEqual(['set-aside range', 'set-aside range over', 'share-low range', 'share-low range over'])
  for (const stock of [49, 60, 63]) {
    supplier.offers = [{ ...offer, stock }]
    await refreshOffers(t.ctx, supplier)
    await look(t)
  }
  expect((await told(t)).slice(4)).toEqual(['stock-low range', 'stock-low range over'])
  for (const micros of [499_990_000n, 600_000_000n, 700_000_000n]) {
    supplier.balance = async () => ({ micros, currency: 'rub', at: t.clock.now() })
    await readBalances(t.ctx)
    await look(t)
  }
  supplier.balance = async () => Promise.reject(new Error('HTTP 500'))
  await readBalances(t.ctx)
  await look(t)
  expect((await told(t)).slice(6)).toEqual(['balance-low range', 'balance-low range over'])
  const { id: supplierId } = supplier
  await takeMarker(t.ctx.db, { supplierId, marker: 'abc' })
  for (const ratingHundredths of [96_00, 19_99, 24_99, null, 25_00]) {
    await storeRating(t.ctx.db, { supplierId, ratingHundredths, now: t.clock.now() })
    await look(t)
  }
  expect((await told(t)).slice(8)).toEqual(['rating-low range', 'rating-low range over'])
  const whys = (await sentMails(t)).flatMap(({ mail }) => (mail.kind === 'alarm' && mail.why != null ? [mail.why] : []))
  expect(whys).toEqual(['test', 'test', '49 for sale now', '499.99 rub there', 'the rating there is 19.99'])
})

test('a pause begins no alarm and ends none: an answer does, and a removal ends it without a word', async () => {
  await using t = await startTestApp({ environment: { ALARM_MAIL, ALARM_STOCK: '50' } })
  const [low, removed] = [await t.addFake('low'), await t.addFake('removed')]
  const stockOf = async (supplier: FakeSupplier, stock: number) => {
    supplier.offers = supplier.offers.slice(0, 1).map((offer) => ({ ...offer, stock }))
    await refreshOffers(t.ctx, supplier)
    await look(t)
  }
  const set = (column: 'paused_at' | 'removed_at', code: string) =>
    t.ctx.db.query({ text: `UPDATE suppliers SET ${column} = $1 WHERE code = $2`, values: [t.clock.now(), code] })
  await stockOf(low, 4)
  await set('paused_at', low.code)
  await set('paused_at', removed.code)
  await stockOf(removed, 4)
  expect(await told(t)).toEqual(['stock-low low'])
  await stockOf(low, 100)
  expect(await told(t)).toEqual(['stock-low low', 'stock-low low over'])
  await t.ctx.db.query({ text: `UPDATE suppliers SET paused_at = NULL WHERE code = 'removed'` })
  await stockOf(removed, 3)
  await set('removed_at', removed.code)
  await look(t)
  expect((await told(t)).slice(2)).toEqual(['stock-low removed'])
})

test('OP-13: a rack of five phones and a range of ten thousand have each its own least stock', async () => {
  await using t = await startTestApp({ environment: { ALARM_MAIL, ALARM_STOCK: '50,rack:3,range:2000' } })
  const [rack, range, other] = [await t.addFake('rack'), await t.addFake('range'), await t.addFake('other')]
  const turn = async (stocks: [FakeSupplier, number][]) => {
    for (const [supplier, stock] of stocks) {
      supplier.offers = supplier.offers.slice(0, 1).map((offer) => ({ ...offer, stock }))
      await refreshOffers(t.ctx, supplier)
    }
    await look(t)
    return told(t)
  }
  const enough: [FakeSupplier, number][] = [
    [rack, 5],
    [range, 10_000],
    [other, 80],
  ]
  expect(await turn(enough)).toEqual([])
  expect(await turn([[range, 1_999]])).toEqual(['stock-low range'])
  expect(await turn([[rack, 2]])).toEqual(['stock-low range', 'stock-low rack'])
  expect((await sentMails(t)).map(({ mail }) => mail.kind === 'alarm' && mail.why)).toEqual([
    '1999 for sale now',
    '2 for sale now',
  ])
  expect((await typed(t.database, 'supplier:list')).out).toMatch(/^rack .* numbers, 2 for sale$/m)
  expect(await turn([[other, 49]])).toEqual(['stock-low range', 'stock-low rack', 'stock-low other'])
  expect((await turn(enough)).slice(3).toSorted()).toEqual([
    'stock-low other over',
    'stock-low rack over',
    'stock-low range over',
  ])
})

test('OP-13: alarms speak the language of whoever has the address, else of the first operator, else of the zone', async () => {
  await using t = await startTestApp({ environment: { ALARM_MAIL } })
  const supplier = await t.addFake('range')
  const english = (id: number) => t.ctx.db.query({ text: `UPDATE users SET locale = 'en' WHERE id = $1`, values: [id] })
  const turn = async (up: boolean) => {
    supplier.link = () => ({ up, since: new Date(0) })
    await watchService(t.ctx)
    return (await sentMails(t)).map(({ locale }) => locale)
  }
  expect(await turn(false)).toEqual(['ru'])
  const operator = await makeStaff(t, 'operator')
  await english(operator.id)
  expect(await turn(true)).toEqual(['ru', 'en'])
  await t.makeUser({ email: ALARM_MAIL.toUpperCase() })
  expect(await turn(false)).toEqual(['ru', 'en', 'ru'])
})

test('people of several accounts who wait ten minutes without one message ring; one account alone does not', async () => {
  await using t = await startTestApp({ environment: { ALARM_MAIL } })
  const supplier = await t.addFake('range')
  const [one, other] = [await t.makeUser({ balance: '1000.00' }), await t.makeUser()]
  for (let place = 0; place < 3; place += 1) await buyOne(t, one)
  t.clock.advance(2 * MINUTE)
  const { phone } = await buyOne(t, other)
  t.clock.advance(8 * MINUTE)
  await look(t)
  expect(await told(t)).toEqual([])
  t.clock.advance(2 * MINUTE)
  await look(t)
  const began = t.clock.now()
  t.clock.advance(MINUTE)
  await pushSms(t, supplier, { phone })
  await look(t)
  expect(await told(t)).toEqual(['no-sms range', 'no-sms range over'])
  const [begun, over] = (await sentMails(t)).map(({ mail }) => mail)
  expect(begun).toMatchObject({ why: 'it has sent none yet' })
  expect(over).toMatchObject({ since: began.toISOString(), at: t.clock.now().toISOString() })
})

test('a muted alarm tells nobody that it began, unless it outlasts its mute; what was told is told to be over', async () => {
  await using t = await startTestApp({ environment: { ALARM_MAIL }, clock: createTestClock(new Date().toISOString()) })
  const supplier = await t.addFake('range')
  const change = { supplierId: supplier.id, reason: 'test', falls: 1, now: t.clock.now() }
  const aside = (version: number) =>
    changeStanding(t.ctx.db, { ...change, kind: 'set-aside', cause: 'errors', tryAt: t.clock.now(), version })
  const back = (version: number) =>
    changeStanding(t.ctx.db, { ...change, kind: 'returned', cause: null, tryAt: null, version })
  const mute = (...words: string[]) => typed(t.database, ...words, ...WHY)
  expect(await mute('alarm:mute', 'set-asid', '--for', '2h')).toMatchObject({ code: 2 })
  expect(await mute('alarm:mute', 'set-aside:rang', '--for', '2h')).toMatchObject({ code: 1 })
  expect(await mute('alarm:mute', 'books-wrong:range', '--for', '2h')).toMatchObject({ code: 2 })
  expect(await mute('alarm:mute', 'set-aside:range', '--for', '31d')).toMatchObject({ code: 2 })
  expect(await mute('alarm:mute', 'set-aside:range', '--for', '2h')).toMatchObject({ code: 0, err: '' })
  await aside(0)
  await look(t)
  await back(1)
  await look(t)
  expect(await told(t)).toEqual([])
  await aside(2)
  await look(t)
  expect((await typed(t.database, 'alarm:list')).out).toMatch(/set-aside range: since .*, muted\n.*muted until/)
  const began = t.clock.now().toISOString()
  t.clock.advance(2 * HOUR + MINUTE)
  await look(t)
  expect(await told(t)).toEqual(['set-aside range'])
  expect((await sentMails(t))[0]?.mail).toMatchObject({ since: began, at: t.clock.now().toISOString() })
  await mute('alarm:mute', 'set-aside', '--for', '7d')
  await back(3)
  await look(t)
  await aside(4)
  await look(t)
  expect(await told(t)).toEqual(['set-aside range', 'set-aside range over'])
  await mute('alarm:unmute', 'set-aside')
  await look(t)
  expect((await told(t)).slice(2)).toEqual(['set-aside range'])
})

test('a chat and a signed webhook are told as well, each by itself: one that is away holds up no other', async () => {
  const secret = 'a secret of the webhook'
  const taken: Record<string, unknown>[] = []
  let status = 503
  const faults: unknown[] = []
  const take = async (request: IncomingMessage, reply: ServerResponse) => {
    const body = await text(request)
    const signature = String(request.headers['ringpost-signature'])
    const [, at, sum] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? []
    if (createHmac('sha256', secret).update(`${at}.${body}`).digest('hex') !== sum) faults.push(signature)
    if (status === 200) taken.push(JSON.parse(body) as Record<string, unknown>)
    reply.writeHead(status).end()
  }
  await using hook = await listenOnLoopback((request, reply) => {
    take(request, reply).catch((error: unknown) => {
      faults.push(error)
      reply.destroy()
    })
  })
  await using house = await openTelegramHouse()
  const environment = {
    ...house.environment,
    ALARM_TELEGRAM_CHAT: '4711',
    ALARM_WEBHOOK: `${hook.url}/alarms`,
    ALARM_WEBHOOK_SECRET: secret,
  }
  await using t = await startTestApp({ environment })
  const supplier = await t.addFake('range')
  const link = { up: false, since: t.clock.now() }
  supplier.link = () => link
  await loadHealth(t.ctx)
  t.clock.advance(MINUTE)
  await look(t)
  await t.runJobs()
  expect(house.sent).toMatchObject([
    { chatId: 4711, text: expect.stringContaining('<b>Нет связи с поставщиком (range)</b>') },
  ])
  expect([taken, await told(t)]).toEqual([[], []])
  status = 200
  await t.hurryJobs()
  link.up = true
  await look(t)
  await t.hurryJobs()
  expect(house.sent).toHaveLength(2)
  expect(taken).toMatchObject([
    { alarm: 'link-down', about: 'range', over: false, heading: 'Нет связи с поставщиком (range)' },
    { alarm: 'link-down', about: 'range', over: true },
  ])
  expect([house.faults, faults]).toEqual([[], []])
})
