import { expect, test } from 'vitest'
import { SECOND } from '#contract/time.ts'
import { openNumber } from '#server/core/numbers/limits/open-number.ts'
import { playNumberLimitOf } from '#server/core/numbers/limits/play-number-limit.ts'
import { withinPlayRate } from '#server/core/numbers/limits/play-rate-limit.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { sandboxFull } from '#server/house/errors/buying-errors.ts'
import { AppError } from '#server/house/errors/errors.ts'
import { sandboxOf } from '#server/house/sandbox.ts'
import { count, expectBooksRight } from '#test/builders/activation-rows.ts'
import { WAITING_SESSIONS } from '#test/builders/held-row.ts'
import { call, refused } from '#test/harness/calls.ts'
import type { TestApp } from '#test/harness/harness.ts'
import { makeSandboxKey, startSandboxTest } from '#test/services/sandbox-service.ts'

const BUY = 'POST /api/v1/activations'
const SILENT = { service_id: 'tg', country_id: 0, operator_id: 'silent' }
const FULL = { status: 503, retryAfter: '5', body: { code: 'SANDBOX_FULL' } }
const OPENED = async () => ({})

const said = (asked: Promise<unknown>) =>
  asked.then(
    () => 'OK',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )
const open = (t: TestApp, userId: number, hold: () => Promise<object | null>) =>
  said(openNumber(sandboxOf(t.ctx), { userId, kind: 'activation', replaces: false }, hold))
const turn = (t: TestApp, userId: number, work: () => Promise<object | null>) =>
  said(withinPlayRate(sandboxOf(t.ctx), { userId, full: sandboxFull }, work))

test('F-3: a purchase that the database keeps waiting is refused in time, and what has begun is not given up', async () => {
  await using s = await startSandboxTest()
  const { t, token } = s
  const room = playNumberLimitOf(t.ctx)
  room.longestWaitMs = 50
  room.limits = { ...room.limits, activation: { usual: 3, share: 3, most: 3 } }
  const blocked = () => count(t.ctx, WAITING_SESSIONS)
  let begun: Promise<unknown[]> = Promise.resolve([])
  await transaction(t.ctx.db, async (tx) => {
    await tx.query({ text: 'SELECT FROM accounts WHERE sandbox FOR UPDATE' })
    begun = Promise.all([call(t, BUY, SILENT, { token }), call(t, BUY, SILENT, { token })])
    await expect.poll(blocked).toBe(2)
    expect(await refused(t, BUY, SILENT, { token })).toMatchObject(FULL)
  })
  expect(await begun).toHaveLength(2)
  await call(t, BUY, SILENT, { token })
  expect(await refused(t, BUY, SILENT, { token })).toMatchObject(FULL)
  await expectBooksRight(t.ctx)
})

test('F-3: so many purchases wait, and the last places are for accounts that have few there', async () => {
  await using s = await startSandboxTest()
  const { t } = s
  playNumberLimitOf(t.ctx).mostWaiting = { usual: 2, share: 1, most: 3 }
  const gate = Promise.withResolvers<void>()
  let begun = 0
  const hold = async () => {
    begun += 1
    await gate.promise
    return {}
  }
  const first = [open(t, 1, hold), open(t, 1, hold)]
  await expect.poll(() => begun).toBe(2)
  const waiting = [open(t, 1, hold), open(t, 1, hold)]
  expect(await open(t, 1, hold)).toBe('SANDBOX_FULL')
  const few = open(t, 2, hold)
  expect([await open(t, 2, hold), await open(t, 3, hold), begun]).toEqual(['SANDBOX_FULL', 'SANDBOX_FULL', 2])
  gate.resolve()
  expect(await Promise.all([...first, ...waiting, few])).toEqual(['OK', 'OK', 'OK', 'OK', 'OK'])
  expect(await open(t, 1, hold)).toBe('OK')
})

test('F-6: what is refused spends no turn of the account, and what is opened does', async () => {
  await using s = await startSandboxTest()
  const { t, user, token } = s
  const room = playNumberLimitOf(t.ctx)
  const { limits } = room
  const none = { usual: 0, share: 0, most: 0 }
  room.limits = { activation: none, rental: none }
  const codes = new Set<string>()
  for (let time = 0; time < 1_100; time += 1) {
    codes.add(await open(t, user.id, OPENED))
    t.clock.advance(SECOND)
  }
  expect(codes).toEqual(new Set(['SANDBOX_FULL']))
  room.limits = limits
  await call(t, BUY, SILENT, { token })
  const opened: string[] = []
  for (let time = 0; time < 1_010; time += 1) {
    opened.push(await turn(t, user.id, OPENED))
    t.clock.advance(SECOND / 10)
  }
  expect([opened.indexOf('TOO_MANY_REQUESTS'), new Set(opened).size]).toEqual([1_003, 2])
})

test('F-6: what is given back gets nobody past a limit, however many ask at the same time', async () => {
  await using s = await startSandboxTest()
  const { t, user } = s
  const count = async (asked: Promise<string>[]) => (await Promise.all(asked)).filter((code) => code === 'OK').length
  const burst = (length: number, userId: number, work: () => Promise<object | null>) =>
    Array.from({ length }, () => turn(t, userId, work))
  for (let time = 0; time < 2; time += 1) {
    const gate = Promise.withResolvers<null>()
    const inVain = burst(310, user.id, () => gate.promise)
    expect(await count(burst(10, user.id, OPENED))).toBe(0)
    gate.resolve(null)
    expect(await count(inVain)).toBe(300)
  }
  expect(await count(burst(310, user.id, OPENED))).toBe(300)
  expect(await count(burst(10, user.id, OPENED))).toBe(0)
  expect(await count(burst(310, 1_000, OPENED))).toBe(20)
  expect(await count(burst(10, 1_000, OPENED))).toBe(0)
})

test('17.6: accounts that buy steadily leave turns for those that buy little', async () => {
  await using s = await startSandboxTest()
  const { t } = s
  const newcomer = await makeSandboxKey(t, await t.makeUser())
  const steady = Array.from({ length: 30 }, (_, n) => 1_000 + n)
  for (const userId of steady) {
    for (let time = 0; time < 20; time += 1) await turn(t, userId, OPENED)
  }
  for (let time = 0; time < 20; time += 1) {
    t.clock.advance(3 * SECOND)
    for (const userId of steady) await turn(t, userId, OPENED)
  }
  for (const userId of steady) await turn(t, userId, OPENED)
  await call(t, BUY, SILENT, { token: newcomer })
})
