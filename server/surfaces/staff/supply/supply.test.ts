import { expect, test } from 'vitest'
import type { ShownSupplier } from '#contract/staff/supply.ts'
import { DAY, HOUR, SECOND } from '#contract/time.ts'
import { flushHealth } from '#server/core/catalog/health/flush-health.ts'
import { calls } from '#server/programs/app.ts'

import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { makeStaff } from '#test/builders/staff.ts'
import { call, refused, send } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { createTestClock } from '#test/harness/test-clock.ts'
import { auditOf, typed, WHY } from '#test/harness/typed.ts'

const LIST = 'GET /api/v1/staff/suppliers'
const SHOW = 'GET /api/v1/staff/suppliers/{code}'
const PAUSE = 'POST /api/v1/staff/suppliers/{code}/pause'
const RESUME = 'POST /api/v1/staff/suppliers/{code}/resume'
const MUTE = 'POST /api/v1/staff/suppliers/{code}/mute'
const UNMUTE = 'POST /api/v1/staff/suppliers/{code}/unmute'

async function shownOf(t: TestApp, operator: TestUser, code: string): Promise<ShownSupplier> {
  t.clock.advance(6 * SECOND)
  const { data } = await call(t, LIST, {}, operator)
  const found = data.find((supplier) => supplier.code === code)
  if (found === undefined) throw new Error(`${code} is not on the board`)
  return found
}

test('supply is for operators alone: to support, members, programs and visitors there is no such call', async () => {
  await using t = await startTestApp()
  await t.addFake('range')
  const operator = await makeStaff(t, 'operator')
  const [support, buyer] = [await makeStaff(t, 'support'), await t.makeUser()]
  const apiKey = await t.makeApiKey(operator)
  const ofSupply = calls.filter(({ key }) => key.includes('/staff/suppliers'))
  expect(ofSupply).toHaveLength(6)
  const input = { code: 'range', reason: 'why', alarm: 'no-sms', hours: 1 }
  for (const { key } of ofSupply) {
    for (const who of [{}, buyer, support, { token: apiKey }]) {
      const { response } = await send(t, key, key.startsWith('GET') ? { code: 'range' } : input, who)
      expect({ key, status: response.status }).toEqual({ key, status: 404 })
    }
  }
  expect(await auditOf(t.ctx.db)).toEqual([])
  expect((await call(t, LIST, {}, operator)).data).toMatchObject([{ code: 'range', paused_since: null }])
})

test('the board says what supplier:show says: calls, shares against the norm, open numbers, messages of nobody', async () => {
  await using t = await startTestApp({ clock: createTestClock(new Date().toISOString()) })
  const operator = await makeStaff(t, 'operator')
  const supplier = await t.addFake('range')
  await t.addFake('idle', [])
  const buyer = await t.makeUser({ balance: '100.00' })
  await t.ctx.db.query({
    text: `INSERT INTO outcome_hours (hour, supplier_id, service_code, country_id, operator, purchases, codes, seconds_counts)
      SELECT $at, $supplierId, 'tg', 2, 'altel', 500, 400, array_fill(0, ARRAY[17])`,
    values: { at: new Date(t.clock.now().getTime() - 3 * DAY), supplierId: supplier.id },
  })
  const done = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone: done.phone, text: 'Telegram code: 48213' })
  await call(t, 'POST /api/v1/activations/{id}/finish', { id: done.id }, buyer)
  await buyOne(t, buyer)
  for (const text of ['Telegram code: 11111', 'Telegram code: 22222'])
    await pushSms(t, supplier, { phone: '77059999999', messageId: '1', text })
  await flushHealth(t.ctx)
  const shown = await shownOf(t, operator, 'range')
  expect(shown).toMatchObject({
    kind: 'fake',
    link: null,
    aside: null,
    open_numbers: 1,
    unmatched: 1,
    reused_ids: 1,
    alarms: [],
  })
  expect(shown.last_sms_at).not.toBeNull()
  expect(shown.calls).toMatchObject({ errors: 0 })
  expect(shown.shares.map(({ window, share }) => [window, share])).toEqual([
    ['15m', 1],
    ['1h', 1],
    ['24h', 1],
  ])
  const told = JSON.parse((await typed(t.database, 'supplier:show', 'range', '--json')).out)
  const figures = ({ purchases, codes, share, norm }: ShownSupplier['shares'][number]) => [
    purchases,
    codes,
    share,
    norm,
  ]
  expect(shown.shares.map(figures)).toEqual(told.shares.map(figures))
  expect(told.reused_ids).toBe(1)
  expect((await typed(t.database, 'supplier:show', 'range')).out).toMatch('dropped in 24 h: 1 messages whose ids')
  const one = await call(t, SHOW, { code: 'range' }, operator)
  expect(one.calls).toEqual(told.calls)
  expect(one.calls.reduce((sum, { calls: count }) => sum + count, 0)).toBe(shown.calls.calls)
  expect(await shownOf(t, operator, 'idle')).toMatchObject({
    open_numbers: 0,
    unmatched: 0,
    reused_ids: 0,
    last_sms_at: null,
  })
  // An hour later only the longest window still contains the purchase.
  t.clock.advance(2 * HOUR)
  const { token } = await beginTestSession(t.ctx, operator.id)
  const { shares } = await shownOf(t, { ...operator, token }, 'range')
  expect(shares.map(({ purchases }) => purchases)).toEqual([0, 0, 1])
})

test('a press pauses and resumes as the command does: once, with its reason among the events and in the audit log', async () => {
  await using t = await startTestApp()
  const operator = await makeStaff(t, 'operator')
  await t.addFake('range')
  const paused = { code: 'range', reason: 'no codes since noon' }
  await Promise.all([call(t, PAUSE, paused, operator), call(t, PAUSE, paused, operator)])
  expect((await call(t, LIST, {}, operator)).data).toMatchObject([{ paused_since: t.clock.now().toISOString() }])
  const { rows } = await t.ctx.db.query<{ paused: boolean }>({
    text: `SELECT paused_at IS NOT NULL AS paused FROM suppliers WHERE code = 'range'`,
  })
  expect(rows).toEqual([{ paused: true }])
  await call(t, RESUME, { code: 'range', reason: 'they say it works' }, operator)
  const { data, events, next } = await call(t, SHOW, { code: 'range' }, operator)
  expect(data.paused_since).toBeNull()
  expect(events.map(({ kind, reason }) => [kind, reason])).toEqual([
    ['resumed', 'they say it works'],
    ['paused', 'no codes since noon'],
  ])
  expect(next).toBeNull()
  expect(await auditOf(t.ctx.db)).toMatchObject([
    { actor: `user:${operator.id}`, command: 'supplier:pause', subject: 'supplier:range', reason: paused.reason },
    { actor: `user:${operator.id}`, command: 'supplier:resume', subject: 'supplier:range' },
  ])
})

test('an alarm is muted for one supplier, told as muted, and unmuted; a mute of the whole kind is the command’s', async () => {
  await using t = await startTestApp({ clock: createTestClock(new Date().toISOString()) })
  const operator = await makeStaff(t, 'operator')
  await t.addFake('range')
  await t.addFake('other', [])
  const began = t.clock.now()
  await t.ctx.db.query({
    text: `INSERT INTO alarms (name, about, began_at, told_at) VALUES ('no-sms range', 'range', $1, $1)`,
    values: [began],
  })
  expect((await shownOf(t, operator, 'range')).alarms).toEqual([
    { kind: 'no-sms', since: began.toISOString(), muted_until: null, muted_by: null },
  ])
  await call(t, MUTE, { code: 'range', alarm: 'no-sms', hours: 8 }, operator)
  const until = new Date(t.clock.now().getTime() + 8 * HOUR).toISOString()
  const muted = { kind: 'no-sms', since: began.toISOString(), muted_until: until, muted_by: 'itself' }
  expect((await shownOf(t, operator, 'range')).alarms).toEqual([muted])
  expect((await typed(t.database, 'alarm:list')).out).toContain(`no-sms range: muted until ${until}`)
  expect((await shownOf(t, operator, 'other')).alarms).toEqual([])
  await call(t, UNMUTE, { code: 'range', alarm: 'no-sms' }, operator)
  await call(t, UNMUTE, { code: 'range', alarm: 'no-sms' }, operator)
  expect((await shownOf(t, operator, 'range')).alarms).toMatchObject([{ muted_by: null }])
  expect((await auditOf(t.ctx.db)).map(({ command, subject }) => [command, subject])).toEqual([
    ['alarm:mute', 'alarm:no-sms range'],
    ['alarm:unmute', 'alarm:no-sms range'],
  ])
  await typed(t.database, 'alarm:mute', 'stock-low', '--for', '1h', ...WHY)
  expect((await shownOf(t, operator, 'other')).alarms).toMatchObject([{ kind: 'stock-low', muted_by: 'kind' }])
  await call(t, UNMUTE, { code: 'other', alarm: 'stock-low' }, operator)
  expect((await shownOf(t, operator, 'other')).alarms).toMatchObject([{ kind: 'stock-low', muted_by: 'kind' }])
})

test('events come by the page, silent numbers are named; what is unknown or malformed is refused', async () => {
  await using t = await startTestApp()
  const operator = await makeStaff(t, 'operator')
  const { id: supplierId } = await t.addFake('range')
  await t.ctx.db.query({
    text: `INSERT INTO supplier_events (supplier_id, at, kind, reason)
      SELECT $supplierId, $now, 'link-up', n::text FROM generate_series(1, 40) n`,
    values: { supplierId, now: t.clock.now() },
  })
  const first = await call(t, SHOW, { code: 'range' }, operator)
  expect(first.events).toHaveLength(30)
  const second = await call(t, SHOW, { code: 'range', before: first.next ?? 0 }, operator)
  expect([...first.events, ...second.events].map(({ reason }) => Number(reason))).toEqual(
    Array.from({ length: 40 }, (_, place) => 40 - place),
  )
  expect(second.next).toBeNull()
  expect(first.silent).toEqual({ data: [], has_more: false })
  const reason = 'because'
  for (const key of [SHOW, PAUSE, RESUME, MUTE, UNMUTE] as const) {
    const input = { code: 'nosuch', reason, alarm: 'no-sms', hours: 1 } as const
    const given = key === SHOW ? { code: 'nosuch' } : pick(input, key)
    expect((await refused(t, key, given as never, operator)).body.code).toBe('NOT_FOUND')
  }
  const wrong = [
    [PAUSE, { code: 'range', reason: '  ' }],
    [PAUSE, { code: 'range', reason: 'x'.repeat(201) }],
    [PAUSE, { code: 'range', reason, extra: 1 }],
    [MUTE, { code: 'range', alarm: 'books-wrong', hours: 1 }],
    [MUTE, { code: 'range', alarm: 'no-sms', hours: 5 }],
    [UNMUTE, { code: 'range' }],
    [SHOW, { code: 'range', before: 'x' }],
    [SHOW, { code: 'x'.repeat(65) }],
  ] as const
  for (const [key, input] of wrong) {
    expect({ input, code: (await refused(t, key, input as never, operator)).body.code }).toEqual({
      input,
      code: 'INVALID_INPUT',
    })
  }
})

function pick(input: { code: string; reason: string; alarm: string; hours: number }, key: string): object {
  const { code, reason, alarm, hours } = input
  if (key === PAUSE || key === RESUME) return { code, reason }
  return key === MUTE ? { code, alarm, hours } : { code, alarm }
}
