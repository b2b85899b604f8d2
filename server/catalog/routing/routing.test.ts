import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { rollUp } from '#server/numbers/statistics/roll-up.ts'
import { buyOne, expectBooksRight } from '#test/builders/activation-rows.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { loadRouteRules } from './load-routes.ts'
import { RouteBook } from './route-book.ts'

const PAIR = { serviceCode: 'tg', countryId: 2 }

function learn(t: TestApp, supplierId: number, { codes, purchases }: { codes: number; purchases: number }): void {
  // Four of each buyer.
  for (let userId = 1; userId <= purchases / 4; userId += 1) {
    t.ctx.routes.note({ supplierId, ...PAIR, userId, codes: (4 * codes) / purchases, purchases: 4, now: t.clock.now() })
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
  // Nothing is known: their order stands, and there is nothing to explain.
  const first = await buyOne(t, user)
  expect([bad.orders.length, await routesOf(t)]).toEqual([1, []])
  learn(t, bad.id, { codes: 0, purchases: 400 })
  learn(t, good.id, { codes: 390, purchases: 400 })
  const { id } = await buyOne(t, user)
  expect(good.orders).toHaveLength(1)
  expect(first.id).not.toBe(id)
  const [why = ''] = await routesOf(t)
  expect(why).toMatch(/^good\/altel 10\.00 rub, chance 0\.\d\d \(\d+ of \d+\); bad\/altel 10\.00 rub, chance 0\.\d\d/)
  expect((await typed(t.database, 'order:show', String(id))).out).toMatch(`activation.routed: why ${why}`)
  // Outcomes are learnt as they are counted.
  t.clock.advance(3 * MINUTE)
  t.ctx.routes = new RouteBook()
  await rollUp(t.ctx)
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
  // To the others he is whoever failed most.
  expect(book.countsOf({ ...pair, userId: 400 }, now)?.failures).toBe(0)
  // His newest replace his older ones.
  book.note({ ...pair, userId: 9_999, purchases: 50, codes: 50, now })
  expect(book.countsOf({ ...pair, userId: 9_999 }, now)?.failures).toBeLessThan(0.1)
})
