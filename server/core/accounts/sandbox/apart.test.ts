import { expect, test } from 'vitest'
import type { CallKey } from '#contract/calls/calls.ts'
import { MINUTE } from '#contract/time.ts'
import { listInService, listWatched } from '#server/core/alarms/queries.ts'
import { flushHealth } from '#server/core/catalog/health/flush-health.ts'
import { insertNews } from '#server/core/notifications/queries/news.ts'
import { spreadOpenNews } from '#server/core/notifications/spread-news.ts'
import { sweepExpired } from '#server/core/numbers/activations/sweep.ts'
import { learnSenders } from '#server/core/numbers/messages/learn-senders.ts'
import { sweepRentals } from '#server/core/numbers/rentals/sweep.ts'
import { rollUp } from '#server/core/numbers/statistics/roll-up.ts'
import { buyOne, count, expectBooksRight, pushSms } from '#test/builders/activation-rows.ts'
import { makeStaff } from '#test/builders/staff.ts'
import { call } from '#test/harness/calls.ts'
import { beginTestSession, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { typed } from '#test/harness/typed.ts'
import { buyPlay, type SandboxTest, settledPlay, startSandboxTest } from '#test/services/sandbox-service.ts'

const COUNTED_TABLES = [
  'outcome_hours',
  'supplier_call_hours',
  'supplier_standings',
  'supplier_events',
  'offers',
  'rent_offers',
  'notifications',
  'sender_matches',
  'purchase_pauses',
  'referral_shares',
  'loyalty_rewards',
  'payments',
]
const METRICS = ['ringpost_purchases_total', 'ringpost_sms_total', 'ringpost_supplier_calls_total']

async function figures(t: TestApp, people: { owner: TestUser; operator: TestUser }) {
  const { owner, operator } = people
  const public_: [CallKey, object][] = [
    ['GET /api/services', { per_page: 100 }],
    ['GET /api/countries', { per_page: 100 }],
    ['GET /api/rent-services', { per_page: 100 }],
    ['GET /api/v1/price-list', {}],
    ['GET /api/v1/directory/{kind}', { kind: 'services' }],
    ['GET /api/v1/facts', {}],
    ['GET /api/price', { service_id: 'tg', country_id: 2 }],
  ]
  const own: CallKey[] = ['GET /api/user', 'GET /api/v1/history', 'GET /api/v1/movements']
  const replies: unknown[] = []
  // The cast is needed because the input type differs from call to call; answers are compared as a whole.
  for (const [key, input] of public_) replies.push(await call(t, key, input as never))
  for (const key of own) replies.push(await call(t, key, {} as never, owner))
  const { data: statistics } = await call(t, 'GET /api/v1/statistics', {}, owner)
  replies.push({ ...statistics, counted_until: null })
  replies.push(await call(t, 'GET /api/v1/staff/suppliers', {}, operator))
  for (const command of ['supplier:list', 'order:list', 'alarm:list', 'user:erased']) {
    replies.push((await typed(t.database, command)).out)
  }
  const tables = await Promise.all(COUNTED_TABLES.map(async (table) => [table, await count(t.ctx, table)]))
  const { rows: revenue } = await t.ctx.db.query({
    text: `SELECT currency, sum(amount_micros)::text AS micros FROM transfers JOIN accounts a USING (user_id, currency)
      WHERE to_account = 'revenue' AND NOT a.sandbox GROUP BY currency`,
  })
  const metrics = (await t.ctx.metrics.registry.getMetricsAsJSON()).filter(({ name }) => METRICS.includes(name))
  const since = { waitingSince: t.clock.now(), lossesSince: t.clock.now() }
  const watched = await listWatched(t.ctx.db, { ...since, few: 1, many: 10 })
  const inService = await listInService(t.ctx.db, t.clock.now())
  return { replies, tables, revenue, metrics, watched, inService }
}

async function beBusy({ t, token }: SandboxTest): Promise<void> {
  for (const operator of ['swift', 'steady', 'unicode']) {
    await settledPlay(t, token, (await buyPlay(t, token, operator)).id)
  }
  const twice = await buyPlay(t, token, 'twice')
  await settledPlay(t, token, twice.id)
  await call(t, 'POST /api/v1/activations/{id}/again', { id: twice.id }, { token }).catch(() => undefined)
  await settledPlay(t, token, (await buyPlay(t, token, 'used')).id)
  const silent = await buyPlay(t, token, 'silent')
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id: silent.id }, { token })
  await buyPlay(t, token, 'silent')
  const rental = { service_id: 'full', country_id: 0, period: 4, operator_id: 'swift' } as const
  const { data } = await call(t, 'POST /api/v1/rentals', rental, { token })
  const rented = () => call(t, 'GET /api/v1/rentals/{id}', { id: data.id }, { token })
  await expect.poll(async () => (await rented()).data.messages_count).toBeGreaterThan(0)
}

test('17.6: a busy sandbox changes no figure of the service', async () => {
  await using s = await startSandboxTest({ config: { earlyCancelSeconds: 0 } })
  const { t, user: owner } = s
  const fake = await t.addFake()
  const operator = await makeStaff(t, 'operator')
  const order = await buyOne(t, owner)
  await pushSms(t, fake, { phone: order.phone })
  const turn = async () => {
    t.clock.advance(21 * MINUTE)
    for (const person of [owner, operator]) Object.assign(person, await beginTestSession(t.ctx, person.id))
    await sweepExpired(t.ctx)
    await sweepRentals(t.ctx)
    await t.runJobs()
    await rollUp(t.ctx)
    await learnSenders(t.ctx)
    await flushHealth(t.ctx)
  }
  await turn()
  const before = await figures(t, { owner, operator })
  await beBusy(s)
  await turn()
  const after = await figures(t, { owner, operator })
  expect(after).toEqual(before)
  expect(await count(t.ctx, 'activations')).toBe(8)
  expect((await call(t, 'GET /api/v1/statistics', {}, s)).data).toMatchObject({ total: { activations: 7, codes: 4 } })
  await expectBooksRight(t.ctx)
})

test('17.6: news are told to people alone', async () => {
  await using s = await startSandboxTest()
  const words = { ru: { title: 'x', text: 'x' }, en: { title: 'x', text: 'x' } }
  const { people } = await insertNews(s.t.ctx.db, { words, link: null, now: s.t.clock.now() })
  await spreadOpenNews(s.t.ctx)
  expect([people, await count(s.t.ctx, 'notifications')]).toEqual([1, 1])
})
