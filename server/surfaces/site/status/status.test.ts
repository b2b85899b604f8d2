import { expect, test } from 'vitest'
import type { StatusComponent, StatusReply } from '#contract/status/status.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { sweepExpired } from '#server/core/numbers/activations/sweep.ts'
import { buyingOf } from '#server/core/numbers/sourcing/buying-stopped.ts'
import { queueMail } from '#server/house/mail/queue-mail.ts'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { addFakeGateway } from '#test/fakes/fake-gateway.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { followStatus } from './follow-status.ts'

async function shown(t: TestApp): Promise<StatusReply> {
  const response = await t.fetch('/status.json')
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  return (await response.json()) as StatusReply
}

const part = ({ components }: StatusReply, id: StatusComponent) => components.find((one) => one.id === id)
const stateOf = async (t: TestApp, id: StatusComponent) => part(await shown(t), id)?.state

test('a link that is lost shows at the next measurement, by country and without a name', async () => {
  await using t = await startTestApp()
  const [first, second] = [await t.addFake('first-secret-name'), await t.addFake('second-secret-name')]
  await t.addFake('third-secret-name', [{ ...fakeOffer, countryId: 7 }])
  await followStatus(t.ctx)
  const before = await shown(t)
  expect(before.links.map(({ id, up, total }) => [id, up, total])).toEqual([
    [2, 2, 2],
    [7, 1, 1],
  ])
  expect(part(before, 'links')).toMatchObject({ state: 'working', value: 1 })

  first.link = () => ({ up: false, since: t.clock.now() })
  t.clock.advance(15 * SECOND)
  await followStatus(t.ctx)
  const after = await shown(t)
  expect(after.links[0]).toEqual({ id: 2, name: 'Казахстан', iso2: 'KZ', up: 1, total: 2 })
  expect(part(after, 'links')?.state).toBe('working')
  expect(after.measured_at).toBe(t.clock.now().toISOString())

  second.link = () => ({ up: false, since: t.clock.now() })
  await followStatus(t.ctx)
  expect((await shown(t)).links[0]).toMatchObject({ up: 0, total: 2 })
  expect(await stateOf(t, 'links')).toBe('partly')
  first.link = () => ({ up: true, since: t.clock.now() })
  second.link = first.link
  await followStatus(t.ctx)
  const text = JSON.stringify(await shown(t))
  expect([await stateOf(t, 'links'), text.includes('secret-name')]).toEqual(['working', false])
})

async function insertWeeks(t: TestApp, { purchases, codes }: { purchases: number; codes: number }): Promise<void> {
  const supplier = await t.ctx.db.query<{ id: number }>({ text: 'SELECT id FROM suppliers LIMIT 1' })
  await t.ctx.db.query({
    text: `INSERT INTO outcome_hours (hour, supplier_id, service_code, country_id, operator, purchases, codes, seconds_counts)
      SELECT date_trunc('hour', $now::timestamptz, 'UTC') - make_interval(hours => 168 * week), $supplierId, 'tg', 2, 'altel',
        $purchases, $codes, array_fill(0, ARRAY[17]) FROM generate_series(1, 4) AS week`,
    values: { now: t.clock.now(), supplierId: supplier.rows[0]?.id, purchases, codes },
  })
}

test('codes of the last hour are compared with those of the same hour of earlier weeks', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  await insertWeeks(t, { purchases: 100, codes: 90 })
  const users = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const user = await t.makeUser({ balance: '1000.00' })
      // A session would end within the week that passes.
      return { ...user, token: await t.makeApiKey(user) }
    }),
  )
  const buy = async (coded: number) => {
    for (const user of users) {
      for (let place = 0; place < 4; place += 1) {
        const { phone } = await buyOne(t, user)
        if (place < coded) await pushSms(t, supplier, { phone })
      }
    }
    t.clock.advance(25 * MINUTE)
    await sweepExpired(t.ctx)
    await followStatus(t.ctx)
    return shown(t)
  }
  const few = await buy(1)
  expect(few.services).toEqual([{ id: 'tg', name: 'Telegram', state: 'partly', share: 0.25, usual: 0.9, sample: 20 }])
  expect(few.countries).toMatchObject([{ id: 2, iso2: 'KZ', state: 'partly', share: 0.25 }])
  expect(part(few, 'codes')).toMatchObject({ state: 'partly', value: 0.25, usual: 0.9, sample: 20 })

  t.clock.advance(HOUR)
  await followStatus(t.ctx)
  expect(await shown(t)).toMatchObject({ services: [], countries: [] })
  expect(await stateOf(t, 'codes')).toBe('unknown')

  t.clock.advance(7 * DAY - HOUR - 25 * MINUTE)
  const right = await buy(4)
  expect(part(right, 'codes')).toMatchObject({ state: 'working', value: 1, usual: 0.9 })
})

test('one buyer who cancels much makes no service look broken, and a few purchases tell nothing', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  await insertWeeks(t, { purchases: 100, codes: 50 })
  const [honest, thief] = [await t.makeUser({ balance: '1000.00' }), await t.makeUser({ balance: '1000.00' })]
  for (let place = 0; place < 12; place += 1) await pushSms(t, supplier, await buyOne(t, honest))
  const token = await t.makeApiKey(thief)
  for (let turn = 0; turn < 3; turn += 1) {
    const bought = [await buyOne(t, thief), await buyOne(t, thief), await buyOne(t, thief)]
    t.clock.advance(3 * MINUTE)
    for (const { id } of bought) {
      await call(t, 'POST /api/v1/activations/{id}/cancel', { id }, { token })
    }
  }
  t.clock.advance(20 * MINUTE)
  await sweepExpired(t.ctx)
  await followStatus(t.ctx)
  // Four of the buyer's nine misses count, and sixteen purchases are too few.
  expect((await shown(t)).services).toEqual([
    { id: 'tg', name: 'Telegram', state: 'unknown', share: null, usual: 0.5, sample: 10 },
  ])
})

test('minutes of each day are counted by state, and a time without measurements is one without orders', async () => {
  await using t = await startTestApp({ config: { demo: false } })
  const supplier = await t.addFake()
  const minute = async (count: number) => {
    for (let passed = 0; passed < count * 4; passed += 1) {
      t.clock.advance(15 * SECOND)
      await followStatus(t.ctx)
    }
  }
  await followStatus(t.ctx)
  await minute(3)
  supplier.link = () => ({ up: false, since: t.clock.now() })
  await minute(2)
  const today = t.clock.now().toISOString().slice(0, 10)
  const links = part(await shown(t), 'links')
  expect(links?.days).toEqual([{ day: today, working: 4, slow: 0, partly: 0, down: 2 }])
  expect(links?.available).toBe(0.6666)

  t.clock.advance(DAY)
  await followStatus(t.ctx)
  const orders = part(await shown(t), 'orders')
  expect(orders?.days).toHaveLength(2)
  expect(orders?.days.reduce((sum, day) => sum + day.down, 0)).toBe(24 * 60 - 1)
  expect(part(await shown(t), 'links')?.days[0]).toEqual({ day: today, working: 4, slow: 0, partly: 0, down: 2 })

  t.clock.advance(95 * DAY)
  await followStatus(t.ctx)
  expect(part(await shown(t), 'links')?.days.map(({ day }) => day)).not.toContain(today)
})

test('letters that wait, gateways that stop and a stop of buying show, and a clock set back counts no minute twice', async () => {
  await using t = await startTestApp({ config: { demo: false } })
  await followStatus(t.ctx)
  expect([await stateOf(t, 'mails'), await stateOf(t, 'payments'), await stateOf(t, 'orders')]).toEqual([
    'working',
    'unknown',
    'working',
  ])
  await queueMail(t.ctx, t.ctx.db, { to: 'anna@example.org', locale: 'ru', mail: { kind: 'two-factor-on' } })
  await t.ctx.db.query({
    text: `UPDATE graphile_worker._private_jobs SET run_at = run_at - interval '11 minutes'`,
  })
  const gateway = await addFakeGateway(t)
  await followStatus(t.ctx)
  expect([await stateOf(t, 'mails'), await stateOf(t, 'payments')]).toEqual(['partly', 'working'])
  gateway.listFaults = async () => [{ kind: 'chain-stopped', about: gateway.code }]
  buyingOf(t.ctx).stopped = true
  t.clock.advance(-HOUR)
  await followStatus(t.ctx)
  const all = await shown(t)
  expect([part(all, 'payments')?.state, part(all, 'orders')?.state, all.state]).toEqual(['down', 'down', 'down'])
  expect(part(all, 'mails')?.days).toMatchObject([{ working: 1, partly: 0 }])
})

test('a page or call that fails shows by its share of the replies', async () => {
  await using t = await startTestApp()
  const reply = (status: string, seconds: number, count: number) => {
    for (let one = 0; one < count; one += 1) {
      t.ctx.metrics.requests.observe({ route: '/*', status }, seconds)
      t.ctx.metrics.requests.observe({ route: '/api/v1/activations/:id', status: '2xx' }, 60)
    }
  }
  const measured = async () => {
    t.clock.advance(15 * SECOND)
    await followStatus(t.ctx)
    return part(await shown(t), 'site')
  }
  await followStatus(t.ctx)
  reply('2xx', 0.02, 19)
  expect((await measured())?.state).toBe('unknown')
  reply('2xx', 0.02, 20)
  expect(await measured()).toMatchObject({ state: 'working', value: 0.03 })
  reply('2xx', 2, 20)
  expect(await measured()).toMatchObject({ state: 'slow', value: 3 })
  reply('5xx', 0.01, 10)
  expect(await measured()).toMatchObject({ state: 'partly' })
  t.clock.advance(10 * MINUTE)
  await measured()
  reply('2xx', 0.02, 40)
  expect(await measured()).toMatchObject({ state: 'working', value: 0.03 })
  expect(part(await shown(t), 'api')?.state).toBe('unknown')
})

test('/status can be closed as each page can, with its files', async () => {
  await using t = await startTestApp({ environment: { CLOSED_PAGES: 'status' } })
  for (const path of ['/status.json', '/status.rss', '/api/v1/status']) expect((await t.fetch(path)).status).toBe(404)
})
