import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import { cancelRental } from '#server/core/numbers/rentals/cancel.ts'
import { rollUp } from '#server/core/numbers/statistics/roll-up.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import { followOutcomes } from '#server/programs/boot/start-loops.ts'
import { buyOne, expectBooksRight } from '#test/builders/activation-rows.ts'
import { addRenting, rentOne } from '#test/builders/rental-rows.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { learnRoutes, loadRouteRules } from './load-routes.ts'
import { RouteBook, routeBookOf } from './route-book.ts'

const PAIR = { serviceCode: 'tg', countryId: 2 }

type Learnt = { codes: number; purchases: number; seconds?: number; rented?: boolean }

function learn(t: TestApp, supplierId: number, { codes, purchases, seconds = 12, rented = false }: Learnt): void {
  const each = (4 * codes) / purchases
  const fresh = { purchases: 4, codes: each, logSeconds: each * Math.log(seconds), rented, now: t.clock.now() }
  for (let userId = 1; userId <= purchases / 4; userId += 1) {
    routeBookOf(t.ctx).note({ supplierId, ...PAIR, ...(rented && { serviceCode: 'full' }), userId, ...fresh })
  }
}

const routesOf = async (t: TestApp) =>
  (
    await t.ctx.db.query<{ why: string }>({
      text: `SELECT data->>'why' AS why FROM events WHERE kind = 'activation.routed' ORDER BY id`,
    })
  ).rows.map(({ why }) => why)

test('at one price whoever delivers is asked first, and the history of the number says why', async () => {
  await using t = await startTestApp()
  const [bad, good] = [await t.addFake('bad'), await t.addFake('good')]
  const user = await t.makeUser({ balance: '1000.00' })
  const first = await buyOne(t, user)
  expect([bad.orders.length, await routesOf(t)]).toEqual([1, []])
  learn(t, bad.id, { codes: 0, purchases: 400 })
  learn(t, good.id, { codes: 390, purchases: 400 })
  const { id } = await buyOne(t, user)
  expect(good.orders).toHaveLength(1)
  expect(first.id).not.toBe(id)
  const [why = ''] = await routesOf(t)
  expect(why).toMatch(
    /^good\/altel 10\.00 rub, chance [01]\.\d\d \(\d+ of \d+\), 12 s; bad\/altel 10\.00 rub, chance [01]\.\d\d/,
  )
  expect((await typed(t.database, 'order:show', String(id))).out).toMatch(`activation.routed: why ${why}`)
  await expectBooksRight(t.ctx)
})

test('at nearly the same cost the faster is asked first; outcomes are learnt with their time, and again at start', async () => {
  await using t = await startTestApp()
  const [slow, quick] = [await t.addFake('slow'), await t.addFake('quick')]
  const user = await t.makeUser({ balance: '1000.00' })
  learn(t, slow.id, { codes: 400, purchases: 400, seconds: 90 })
  learn(t, quick.id, { codes: 400, purchases: 400, seconds: 9 })
  for (let count = 0; count < 8; count += 1) await buyOne(t, user)
  expect(quick.orders.length).toBeGreaterThan(slow.orders.length)
  const faster = (await routesOf(t)).filter((why) => why.includes('faster at nearly the same cost'))
  expect(faster.every((why) => why.startsWith('quick/altel'))).toBe(true)
  const [order] = await t.ctx.db
    .query<{ phone: string; supplier_id: number }>({ text: 'SELECT phone, supplier_id FROM activations ORDER BY id' })
    .then(({ rows }) => rows)
  if (order === undefined) throw new Error('nothing was bought')
  t.clock.advance(20_000)
  const supplierId = order.supplier_id
  await receiveSms(t.ctx, { supplierId, messageId: 'm', phone: order.phone, sender: '', text: 'Telegram code 12345' })
  const counted = { supplierId, ...PAIR }
  for (const begin of [rollUp, learnRoutes]) {
    routeBookOf.forget(t.ctx)
    await begin(t.ctx)
    const counts = routeBookOf(t.ctx).countsOf({ ...counted, userId: user.id }, t.clock.now())
    expect(counts?.codes).toBeCloseTo(1)
    expect(Math.exp(counts?.logSeconds ?? 0)).toBeCloseTo(20, 0)
  }
})

test('rentals are routed by what came to earlier ones, and their history says so', async () => {
  await using t = await startTestApp()
  const [silent, good] = [await addRenting(t, 'silent'), await addRenting(t, 'good')]
  const user = await t.makeUser({ balance: '10000.00' })
  const first = await rentOne(t, user)
  expect(silent.rent.orders).toHaveLength(1)
  learn(t, good.id, { codes: 0, purchases: 400 })
  learn(t, silent.id, { codes: 0, purchases: 400, rented: true })
  learn(t, good.id, { codes: 390, purchases: 400, rented: true })
  const second = await rentOne(t, user)
  expect(good.rent.orders).toHaveLength(1)
  const { rows } = await t.ctx.db.query<{ why: string }>({
    text: `SELECT data->>'why' AS why FROM events WHERE kind = 'rental.routed' AND subject_id = ${second.id}`,
  })
  expect(rows[0]?.why).toMatch(/^good\/altel 100\.00 rub, chance [01]\.\d\d \(\d+ of \d+\); silent\/altel/)
  // A rental with a message counts as a code, a rental given back without a message as a failure; others are unknown.
  const sms = { supplierId: good.id, messageId: 'm', phone: second.phone, sender: '', text: 'Telegram code 12345' }
  await receiveSms(t.ctx, sms)
  await cancelRental(t.ctx, { rentalId: first.id, userId: user.id })
  await rentOne(t, user)
  for (const begin of [rollUp, learnRoutes]) {
    routeBookOf.forget(t.ctx)
    await begin(t.ctx)
    const of = (supplierId: number) =>
      routeBookOf(t.ctx).countsOf(
        { supplierId, serviceCode: 'full', countryId: 2, rented: true, userId: user.id },
        t.clock.now(),
      )
    expect([of(good.id), of(silent.id)]).toMatchObject([
      { codes: 1, failures: 0 },
      { codes: 0, failures: 1 },
    ])
  }
  await expectBooksRight(t.ctx)
})

test("the operator's weight and limit of a minute decide, until they are taken away", async () => {
  await using t = await startTestApp()
  const [one, other] = [await t.addFake('one'), await t.addFake('other')]
  const user = await t.makeUser({ balance: '1000.00' })
  const route = async (...words: string[]) => {
    expect(await typed(t.database, 'supplier:route', ...words, ...WHY)).toMatchObject({ code: 0, err: '' })
    await loadRouteRules(t.ctx)
  }
  await route('one', '--weight', '1')
  await buyOne(t, user)
  expect([one.orders.length, other.orders.length]).toEqual([0, 1])
  await route('other', '--per-minute', '2')
  await buyOne(t, user)
  // A node that reads outcomes anew keeps the count of the minute.
  nodeOf(t.ctx).leases = new Set()
  await followOutcomes(t.ctx)
  await buyOne(t, user)
  expect([one.orders.length, other.orders.length]).toEqual([1, 2])
  t.clock.advance(MINUTE)
  await buyOne(t, user)
  expect(other.orders).toHaveLength(3)
  await route('other', '--per-minute', 'none')
  await buyOne(t, user)
  await buyOne(t, user)
  expect([one.orders.length, other.orders.length]).toEqual([1, 5])
  expect(await typed(t.database, 'supplier:route', 'one', ...WHY)).toMatchObject({ code: 2 })
  expect(fakeOffer.stock).toBe(100)
})

test('one buyer is a tenth of what is remembered, however much he cancels, and pushes nobody else out', () => {
  const book = new RouteBook()
  const now = new Date('2026-03-01T12:00:00Z')
  const pair = { supplierId: 1, ...PAIR }
  for (let userId = 1; userId <= 400; userId += 1) book.note({ ...pair, userId, purchases: 1, codes: 1, now })
  for (let turn = 0; turn < 500; turn += 1) book.note({ ...pair, userId: 9_999, purchases: 1, codes: 0, now })
  const { codes, failures } = book.countsOf({ ...pair, userId: 9_999 }, now) ?? { codes: 0, failures: 0 }
  expect(failures).toBeCloseTo(4)
  expect(codes).toBeGreaterThan(35)
  expect(book.countsOf({ ...pair, userId: 400 }, now)?.failures).toBe(0)
  book.note({ ...pair, userId: 9_999, purchases: 50, codes: 50, now })
  expect(book.countsOf({ ...pair, userId: 9_999 }, now)?.failures).toBeLessThan(0.1)
})
