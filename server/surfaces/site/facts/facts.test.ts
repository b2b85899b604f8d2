import { expect, test, vi } from 'vitest'
import { HOUR, MINUTE } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { loadCatalog } from '#server/core/catalog/offers/load-catalog.ts'
import { answerTicket } from '#server/core/support/answer.ts'
import { openTicket } from '#server/core/support/open-ticket.ts'
import { makeStaff } from '#test/builders/staff.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

const FACTS = 'GET /api/v1/facts'
const CLASSES = 17
/** The place of the codes that come after 5 to 8 seconds. */
const FIVE_TO_EIGHT = 4

async function measure(t: TestApp, { purchases, codes }: { purchases: number; codes: number }): Promise<void> {
  const supplier = await t.ctx.db.query<{ id: number }>({ text: 'SELECT id FROM suppliers LIMIT 1' })
  const counts = Array.from({ length: CLASSES }, (_, place) => (place === FIVE_TO_EIGHT ? codes : 0))
  await t.ctx.db.query({
    text: `INSERT INTO outcome_hours (hour, supplier_id, service_code, country_id, operator, purchases, codes, seconds_counts)
      VALUES (date_trunc('hour', $now::timestamptz, 'UTC'), $supplierId, 'tg', 2, 'altel', $purchases, $codes, $counts)`,
    values: { now: t.clock.now(), supplierId: supplier.rows[0]?.id, purchases, codes, counts },
  })
  await loadCatalog(t.ctx)
}

test('the facts are those of all services, and their samples are rounded down', async () => {
  await using t = await startTestApp()
  await t.addFake()
  await measure(t, { purchases: 12_480, codes: 11_731 })
  const { days, codes, wait, returned } = await call(t, FACTS, {})
  expect({ days, codes, wait, returned }).toEqual({
    days: 7,
    codes: { share: 0.94, purchases: 12_000 },
    wait: { median_seconds: 6.5, codes: 11_000 },
    returned: { purchases: 740 },
  })
})

test('other offers are no other outcomes: these are summed once for each measurement, and other calls get a turn', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  await measure(t, { purchases: 100, codes: 90 })
  const measured = catalogOf(t.ctx).measured()
  const groups = Array.from({ length: 2_500 }, () => [...measured.values()].flat())
  let turn = 0
  const turns = new Set<number>()
  const takeTurn = () => {
    turn += 1
    next = setImmediate(takeTurn)
  }
  let next = setImmediate(takeTurn)
  using sums = vi.spyOn(measured, 'values').mockImplementation(function* () {
    for (const group of groups) {
      turns.add(turn)
      yield group
    }
  } as typeof measured.values)
  const codesOf = async () => (await call(t, FACTS, {})).codes
  const codes = { share: 0.9, purchases: 250_000 }
  expect(await Promise.all([codesOf(), codesOf()])).toEqual([codes, codes])
  clearImmediate(next)
  expect(turns.size).toBe(3)
  catalogOf(t.ctx).setOffers(supplier.id, [])
  expect(await codesOf()).toEqual(codes)
  expect(sums).toHaveBeenCalledTimes(1)
})

test('too few purchases and tickets tell nothing', async () => {
  await using t = await startTestApp()
  await t.addFake()
  await measure(t, { purchases: 9, codes: 9 })
  expect(await call(t, FACTS, {})).toMatchObject({
    codes: null,
    wait: null,
    returned: null,
    support: { email: 'support@ringpost.example', telegram: null, median_answer_seconds: null },
  })
})

test('the ways to pay are those of the zone, in its language', async () => {
  await using t = await startTestApp({ environment: { DEMO: '1' } })
  const { systems } = await call(t, 'GET /api/payments', {}, await t.makeUser())
  const { payments } = await call(t, FACTS, {})
  expect(payments).toEqual(Object.values(systems).map(({ key, name, mark }) => ({ key, name, mark })))
})

type Ticket = { id: bigint; asker: TestUser }

async function ask(t: TestApp): Promise<Ticket> {
  const asker = await t.makeUser()
  const wish = { category: 'other', subject: 'A question', text: 'When?', about: undefined, files: [] } as const
  const { id } = await openTicket(t.ctx, { ...wish, files: [], userId: asker.id, idempotencyKey: undefined })
  return { id, asker }
}

async function answer(t: TestApp, ticketId: bigint, staffId: number): Promise<void> {
  const words = { kind: 'staff', text: 'Soon', idempotencyKey: undefined } as const
  await answerTicket(t.ctx, { ...words, files: [], ticketId, staffId })
}

test('half of the tickets got an answer within the median, and a ticket without one counts as it waits', async () => {
  await using t = await startTestApp()
  const staff = await makeStaff(t, 'operator')
  const tickets: Ticket[] = []
  for (let made = 0; made < 10; made += 1) tickets.push(await ask(t))
  t.clock.advance(4 * MINUTE)
  for (const { id } of tickets.slice(0, 4)) await answer(t, id, staff.id)
  t.clock.advance(20 * MINUTE)
  const median = async () => (await call(t, FACTS, {})).support.median_answer_seconds
  expect(await median()).toBe(24 * 60)
  // The figure is read again after a while, and not for every page.
  t.clock.advance(MINUTE)
  expect(await median()).toBe(24 * 60)
  t.clock.advance(HOUR)
  expect(await median()).toBe(85 * 60)
})

test('nobody waits in a ticket that was closed without an answer', async () => {
  await using t = await startTestApp()
  const staff = await makeStaff(t, 'operator')
  const [answered, closed]: [Ticket[], Ticket[]] = [[], []]
  for (let made = 0; made < 10; made += 1) answered.push(await ask(t))
  for (let made = 0; made < 11; made += 1) closed.push(await ask(t))
  t.clock.advance(4 * MINUTE)
  for (const { id } of answered) await answer(t, id, staff.id)
  for (const { id, asker } of closed)
    await call(t, 'POST /api/v1/support/tickets/{id}/close', { id: Number(id) }, asker)
  t.clock.advance(20 * MINUTE)
  expect((await call(t, FACTS, {})).support.median_answer_seconds).toBe(4 * 60)
})

test('a figure that cannot be read fails no page, and is read again only when it is due', async () => {
  await using t = await startTestApp()
  await t.ctx.db.query({ text: 'ALTER TABLE support_messages RENAME TO support_messages_away' })
  using query = vi.spyOn(t.ctx.db, 'query')
  const reads = () => query.mock.calls.filter(([{ name }]) => name === 'support-first-answers').length
  for (let asked = 0; asked < 3; asked += 1) {
    expect((await call(t, FACTS, {})).support.median_answer_seconds).toBeNull()
  }
  expect(reads()).toBe(1)
  t.clock.advance(16 * MINUTE)
  await call(t, FACTS, {})
  expect(reads()).toBe(2)
})
