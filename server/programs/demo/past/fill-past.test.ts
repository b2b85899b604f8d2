import { expect, test } from 'vitest'
import { STATUS_COMPONENTS, STATUS_DAYS } from '#contract/status/status.ts'
import { DAY } from '#contract/time.ts'
import { loadCatalog } from '#server/core/catalog/offers/load-catalog.ts'
import { verifyDelivery } from '#server/core/numbers/delivery/verify-delivery.ts'
import { sweepPreorders } from '#server/core/numbers/preorders/sweep.ts'
import { rollUp } from '#server/core/numbers/statistics/roll-up.ts'
import { payRewards } from '#server/core/programmes/loyalty/pay-rewards.ts'
import { cleanUp } from '#server/house/jobs/clean-up.ts'
import { demoBuyer, fillDemo } from '#server/programs/demo/fill-demo.ts'
import { count, expectBooksRight } from '#test/builders/activation-rows.ts'
import { makeStaff } from '#test/builders/staff.ts'
import { call } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestApp } from '#test/harness/harness.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'

async function startEmptyDemo() {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await temporaryFolder())
  const t = stack.use(await startTestApp({ environment: { DATA_DIR: folder.root } }))
  const kept = stack.move()
  return { t, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

async function sessionOf(t: TestApp, email: string) {
  const { rows } = await t.ctx.db.query<{ id: number }>({
    text: 'SELECT id FROM users WHERE email = $1',
    values: [email],
  })
  return { id: rows[0]?.id ?? 0, ...(await beginTestSession(t.ctx, rows[0]?.id ?? 0)) }
}

/** The number of rows of each table, and the sums of the balances. */
async function shapeOf(t: TestApp): Promise<unknown> {
  const { rows } = await t.ctx.db.query({
    text: `SELECT (SELECT json_object_agg(name, (xpath('/row/c/text()', query_to_xml('SELECT count(*) AS c FROM ' || name, false, true, '')))[1]::text
        ORDER BY name) FROM (SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public') tables) AS rows,
      (SELECT json_agg(a ORDER BY user_id) FROM accounts a) AS accounts`,
  })
  return rows
}

test('a new demo has three months of history, whose books, messages and statistics are exact', async () => {
  await using demo = await startEmptyDemo()
  const { t } = demo
  await fillDemo(t.ctx)
  await expectBooksRight(t.ctx)
  expect((await verifyDelivery(t.ctx.db)).checks.flatMap(({ problems }) => problems)).toEqual([])
  const buyer = await sessionOf(t, demoBuyer.email)
  expect(await call(t, 'GET /api/user', {}, buyer)).toMatchObject({ balance: '1000.00' })
  expect(await count(t.ctx, 'activations WHERE user_id = $1', [buyer.id])).toBe(400)
  expect(await count(t.ctx, 'activations WHERE ended_at > $1 OR phone IS NULL', [t.clock.now()])).toBe(0)
  expect(await count(t.ctx, `rentals WHERE user_id = $1 AND state = 'active'`, [buyer.id])).toBe(1)
  expect(await count(t.ctx, `preorders WHERE user_id = $1 AND state = 'waiting'`, [buyer.id])).toBe(1)
  expect(await count(t.ctx, `payments WHERE user_id = $1 AND state = 'pending'`, [buyer.id])).toBe(1)
  expect(await count(t.ctx, 'loyalty_rewards WHERE user_id = $1 AND reward_micros > 0', [buyer.id])).toBeGreaterThan(1)
  expect((await call(t, 'GET /api/user', {}, buyer)).notifications_count).toBeGreaterThan(0)
  const wholeDays = 'working_minutes + slow_minutes + partly_minutes + down_minutes + unknown_minutes = 1440'
  expect(await count(t.ctx, `status_days WHERE ${wholeDays}`)).toBe((STATUS_DAYS - 1) * STATUS_COMPONENTS.length)
  expect(await count(t.ctx, 'incidents WHERE closed_at > opened_at')).toBe(1)

  const span = { from: '2025-11-25', to: '2026-03-01', time_zone: 'UTC', mode: 'activation' } as const
  const { total } = (await call(t, 'GET /api/v1/statistics', span, buyer)).data
  const coded = await count(t.ctx, `activations WHERE user_id = $1 AND money = 'captured'`, [buyer.id])
  expect([total.activations, total.codes]).toEqual([400, coded])
  const { rows } = await t.ctx.db.query<{ paid: string }>({
    text: `SELECT to_char(sum(CASE kind WHEN 'capture' THEN amount_micros ELSE -amount_micros END) / 1e6, 'FM99990.00') AS paid
      FROM transfers WHERE user_id = $1 AND activation_id IS NOT NULL AND kind IN ('capture', 'refund')`,
    values: [buyer.id],
  })
  expect(total.spent).toBe(rows[0]?.paid)

  const { tickets } = await call(t, 'GET /api/v1/staff/tickets', {}, await makeStaff(t, 'support'))
  expect(tickets.data.length).toBeGreaterThanOrEqual(6)
})

test('what the demo measures differs between services, countries and operators', async () => {
  await using demo = await startEmptyDemo()
  const { t } = demo
  await fillDemo(t.ctx)
  await loadCatalog(t.ctx)
  for (const filter of [{ service_id: 'tg' }, { country_id: 0 }]) {
    const { data } = await call(t, 'GET /api/v1/quality', { ...filter, per_page: 100 }, {})
    const swift = data.filter(({ operator }) => operator === 'swift')
    const shares = swift.map(({ success_share: share }) => share)
    expect(Math.max(...shares) - Math.min(...shares)).toBeGreaterThan(0.08)
    expect([Math.min(...shares) > 0.5, Math.max(...shares) < 0.96]).toEqual([true, true])
    const medians = swift.flatMap(({ median_seconds: median }) => median ?? [])
    expect(new Set(medians).size).toBeGreaterThan(swift.length / 2)
    expect(medians.filter((median) => median < 2 || median > 45)).toEqual([])
    const operators = new Set(data.slice(0, 9).map(({ success_share: share }) => share))
    expect(operators.size).toBeGreaterThan(4)
  }
})

test('a later start, the loops and the clean-up change nothing of the history', async () => {
  await using demo = await startEmptyDemo()
  const { t } = demo
  await fillDemo(t.ctx)
  const before = await shapeOf(t)
  await fillDemo(t.ctx)
  await Promise.all([fillDemo(t.ctx), fillDemo(t.ctx)])
  await rollUp(t.ctx)
  await sweepPreorders(t.ctx)
  expect(await shapeOf(t)).toEqual(before)
  await payRewards(t.ctx)
  await cleanUp(t.ctx)
  const buyer = await sessionOf(t, demoBuyer.email)
  expect(await call(t, 'GET /api/user', {}, buyer)).toMatchObject({ balance: '1000.00' })
  expect(await count(t.ctx, 'activations WHERE user_id = $1', [buyer.id])).toBe(400)
  await expectBooksRight(t.ctx)
})

test('two starts together make one history; one that dies on the way leaves nothing, and the next makes it whole', async () => {
  await using demo = await startEmptyDemo()
  const { t } = demo
  await t.ctx.db.query({
    text: `CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the power is gone'; END $$;
      CREATE TRIGGER dies BEFORE INSERT ON support_messages EXECUTE FUNCTION die()`,
  })
  await expect(fillDemo(t.ctx)).rejects.toThrow('the power is gone')
  for (const table of ['activations', 'transfers', 'messages', 'payments', 'notifications']) {
    expect([table, await count(t.ctx, table)]).toEqual([table, 0])
  }
  await t.ctx.db.query({ text: 'DROP TRIGGER dies ON support_messages' })
  await Promise.all([fillDemo(t.ctx), fillDemo(t.ctx)])
  const buyer = await sessionOf(t, demoBuyer.email)
  expect(await count(t.ctx, 'activations WHERE user_id = $1', [buyer.id])).toBe(400)
  expect(await count(t.ctx, `settings WHERE key = 'demo_past'`)).toBe(1)
  await expectBooksRight(t.ctx)
})

test('a demo in which money has moved already gets no history', async () => {
  await using demo = await startEmptyDemo()
  const { t } = demo
  await t.makeUser({ balance: '5.00' })
  await fillDemo(t.ctx)
  expect(await count(t.ctx, 'activations')).toBe(0)
  const buyer = await sessionOf(t, demoBuyer.email)
  expect(await call(t, 'GET /api/user', {}, buyer)).toMatchObject({ balance: '1000.00' })
})

test.each([2, 5])('the balance is 1000.00 whatever the day of the first start, day %i', async (day) => {
  await using demo = await startEmptyDemo()
  const { t } = demo
  t.clock.advance(day * DAY + day * 3_917_000)
  await fillDemo(t.ctx)
  const buyer = await sessionOf(t, demoBuyer.email)
  expect(await call(t, 'GET /api/user', {}, buyer)).toMatchObject({ balance: '1000.00' })
  await expectBooksRight(t.ctx)
})
