import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseDecimal } from '#contract/money.ts'
import type { Statement, StatementFilter } from '#contract/past/history.ts'
import { HOUR } from '#contract/time.ts'
import { addDays } from '#server/house/http/local-days.ts'
import { adjustBalance } from '#server/house/money/credit.ts'
import { refundActivation } from '#server/house/money/refund.ts'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { expectRightBooks, payer } from '#test/builders/payments.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

const STATEMENT = 'GET /api/v1/statement'

const read = async (t: TestApp, { token }: TestUser, filter: StatementFilter = {}) =>
  (await call(t, STATEMENT, filter, { token })).data

const micros = (decimal: string): bigint => parseDecimal(decimal.replace('-', '')) ?? -1n

test('a statement says what was there, what moved and what is left', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await payer(t, '100.00')
  const { token } = buyer
  const charged = await buyOne(t, buyer)
  const refunding = await buyOne(t, buyer)
  const cancelled = await buyOne(t, buyer)
  await buyOne(t, buyer)
  for (const { phone } of [charged, refunding]) await pushSms(t, supplier, { phone })
  t.clock.advance(13 * HOUR)
  await refundActivation(t.ctx.db, { activationId: BigInt(refunding.id), at: t.clock.now() })
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id: cancelled.id }, { token })
  const first = await read(t, buyer, { from: '2026-03-01', to: '2026-03-01' })
  expect(first).toEqual({
    currency: 'rub',
    from: '2026-03-01',
    to: '2026-03-01',
    opening: { available: '0.00', held: '0.00', debt: '0.00' },
    closing: { available: '48.00', held: '26.00', debt: '0.00' },
    sums: [
      { kind: 'credit', in: '100.00', out: '0.00', count: 1 },
      { kind: 'hold', in: '0.00', out: '52.00', count: 4 },
    ],
    charged: { amount: '26.00', count: 2 },
    at: '2026-03-02T01:00:00.000Z',
  })
  const second = await read(t, buyer, { from: '2026-03-02' })
  expect(second).toMatchObject({
    opening: first.closing,
    closing: { available: '74.00', held: '13.00' },
    sums: [
      { kind: 'refund', in: '13.00' },
      { kind: 'release', in: '13.00' },
    ],
    charged: { amount: '0.00', count: 0 },
  })
  const newYork = await read(t, buyer, { to: '2026-03-01', time_zone: 'America/New_York' })
  expect(newYork.closing.available).toBe('74.00')
  expect((await read(t, buyer, { to: '2025-01-01' })).closing.available).toBe('0.00')
  expect((await read(t, buyer, { from: '2030-01-01' })).opening.available).toBe('74.00')
  expect((await read(t, await t.makeUser({ balance: '0.00' }))).sums).toEqual([])
  await refused(t, STATEMENT, { from: '2026-03-02', to: '2026-03-01' }, { token })
  await refused(t, STATEMENT, { time_zone: 'Mars' }, { token })

  const file = await t.fetch('/api/v1/statement.csv?from=2026-03-02', { token, headers: { locale: 'en' } })
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="statement-2026-03-02.csv"')
  expect((await file.text()).split('\r\n')).toEqual([
    'Type,In,Out,Count,Balance,Currency',
    'balance at start of period,,,,48.00,RUB',
    'purchase refunded,13.00,0.00,1,,RUB',
    'released,13.00,0.00,1,,RUB',
    'balance at end of period,,,,74.00,RUB',
    'on hold at start of period,,,,26.00,RUB',
    'charged from money on hold,,0.00,0,,RUB',
    'on hold at end of period,,,,13.00,RUB',
    'debt at end of period,,,,0.00,RUB',
    '',
  ])
  const whole = await (await t.fetch('/api/v1/statement.csv', { token, headers: { locale: 'en' } })).text()
  expect(whole).toMatch(/^purchases,0\.00,\d+\.00,\d+,,RUB\r$/mu)
  expect(whole).not.toMatch(/^put on hold,/mu)
})

const anyStep = fc.record({
  hours: fc.integer({ min: 0, max: 30 }),
  act: fc.constantFrom('buy', 'buy', 'code', 'cancel', 'give', 'take', 'refund'),
  pick: fc.nat({ max: 20 }),
})

test('whatever moved, every day begins where the one before ended, and all of it comes to the account', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 25 }), async (steps) => {
      await using t = await startTestApp()
      const supplier = await t.addFake()
      const buyer = await payer(t, '200.00')
      const bought: { id: number; phone: string }[] = []
      for (const [place, { hours, act, pick }] of steps.entries()) {
        t.clock.advance(hours * HOUR)
        const one = bought[pick % Math.max(1, bought.length)]
        const at = t.clock.now()
        const adjust = { userId: buyer.id, idempotencyKey: `step ${place}`, at }
        if (act === 'buy') await buyOne(t, buyer).then((made) => bought.push(made), refusedOf)
        else if (act === 'give') await adjustBalance(t.ctx.db, { ...adjust, amountMicros: 5_010_000n })
        else if (act === 'take') await adjustBalance(t.ctx.db, { ...adjust, amountMicros: -3_330_000n })
        else if (one === undefined) continue
        else if (act === 'code') await pushSms(t, supplier, { phone: one.phone })
        else if (act === 'refund') await refundActivation(t.ctx.db, { activationId: BigInt(one.id), at })
        else await cancel(t, buyer, one.id)
      }
      await expectDaysFit(t, buyer)
      await expectRightBooks(t)
    }),
    { numRuns: 4 },
  )
})

const refusedOf = () => 0

async function cancel(t: TestApp, { token }: TestUser, id: number): Promise<void> {
  const reply = await t.fetch(`/api/v1/activations/${id}/cancel`, { method: 'POST', token })
  await reply.arrayBuffer()
}

async function expectDaysFit(t: TestApp, buyer: TestUser): Promise<void> {
  const whole = await read(t, buyer)
  expect(whole.opening).toEqual({ available: '0.00', held: '0.00', debt: '0.00' })
  const { balance, held } = await call(t, 'GET /api/user', {}, { token: buyer.token })
  expect(whole.closing).toMatchObject({ available: balance, held })
  expectSumsFit(whole)
  let before = whole.opening
  const last = t.clock.now().toISOString().slice(0, 10)
  for (let day = '2026-02-28'; day <= last; day = addDays(day, 3)) {
    const part = await read(t, buyer, { from: day, to: addDays(day, 2), time_zone: 'Pacific/Kiritimati' })
    expect(part.opening).toEqual(before)
    expectSumsFit(part)
    before = part.closing
  }
  const rest = await read(t, buyer, { from: addDays(last, 3) })
  expect(rest.opening).toEqual(whole.closing)
}

function expectSumsFit({ opening, closing, sums, charged }: Statement): void {
  const moved = sums.reduce((sum, kind) => sum + micros(kind.in) - micros(kind.out), 0n)
  expect(micros(opening.available) + moved).toBe(micros(closing.available))
  const of = (kind: string) => sums.find((sum) => sum.kind === kind)
  const heldMore = micros(of('hold')?.out ?? '0') - micros(of('release')?.in ?? '0') - micros(charged.amount)
  expect(micros(opening.held) + heldMore).toBe(micros(closing.held))
}

test('asked for ten years twenty times at once, three are answered at a time and others are told to wait', async () => {
  await using t = await startTestApp()
  const buyer = await payer(t, '10.00')
  const ask = async () => {
    const reply = await t.fetch('/api/v1/statement?from=2016-01-01&to=2026-12-31', { token: buyer.token })
    const body = z.object({ code: z.string().optional() }).parse(await reply.json())
    return { status: reply.status, code: body.code, retryAfter: reply.headers.get('retry-after') }
  }
  const replies = await Promise.all(Array.from({ length: 20 }, ask))
  const waiting = replies.filter(({ status }) => status === 429)
  expect(waiting.length).toBeGreaterThan(0)
  expect(replies.filter(({ status }) => status === 200).length + waiting.length).toBe(20)
  expect(waiting[0]).toMatchObject({ retryAfter: '10', code: 'TOO_MANY_REQUESTS' })
})
