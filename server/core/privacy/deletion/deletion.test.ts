import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { createUser } from '#server/core/accounts/users/create-user.ts'
import { sweepExpired } from '#server/core/numbers/activations/sweep.ts'
import { sweepReferral } from '#server/core/programmes/referral/settle-shares.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { RETENTION } from '#server/house/jobs/retention/rules.ts'
import { adjustBalance } from '#server/house/money/credit.ts'
import { verifyLedger } from '#server/house/money/verify.ts'
import { buyOne, count, expectBooksRight, pushSms } from '#test/builders/activation-rows.ts'
import { holdAccount, meetAtRow } from '#test/builders/held-row.ts'
import { sentMails } from '#test/builders/mails.ts'
import { invited, spend } from '#test/builders/referral.ts'
import { addRenting, rentOne } from '#test/builders/rental-rows.ts'
import { addFakeGateway } from '#test/fakes/fake-gateway.ts'
import { call, refused, send } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { sweepDeletions } from './sweep-deletions.ts'

const ASK = 'POST /api/v1/privacy/deletion'
const CANCEL = 'DELETE /api/v1/privacy/deletion'

async function kindsTo(t: TestApp, email: string): Promise<string[]> {
  return (await sentMails(t)).flatMap(({ to, mail }) => (to === email ? [mail.kind] : []))
}

async function pass(t: TestApp, ms: number): Promise<void> {
  t.clock.advance(ms)
  await sweepDeletions(t.ctx)
}

async function stateOf(t: TestApp, user: TestUser) {
  const { rows } = await t.ctx.db.query<{ email: string | null; name: string; state: string }>({
    text: `SELECT u.email, u.name, d.state FROM users u JOIN account_deletions d ON d.user_id = u.id WHERE u.id = $1 ORDER BY d.id DESC`,
    values: [user.id],
  })
  return rows[0]
}

test('O-12: fourteen days, three mails, then nobody: the books stay right and the address is free', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser({ balance: '100.00', email: 'anna@example.test' })
  const supplier = await t.addFake()
  const { phone } = await buyOne(t, user)
  await pushSms(t, supplier, { phone })
  const apiKey = await t.makeApiKey(user)
  await call(t, ASK, { give_up: '87.00' }, user)
  await call(t, ASK, { give_up: '87.00' }, user)
  const { deletion } = await call(t, 'GET /api/v1/privacy', {}, user)
  expect(deletion).toMatchObject({ days_left: 14, gives_up: '87.00', waits_for: ['activations'] })
  expect(await kindsTo(t, user.email)).toEqual(['deletion-begun'])
  t.clock.advance(DAY)
  await sweepExpired(t.ctx)
  await pass(t, 12 * DAY)
  await pass(t, MINUTE)
  expect(await kindsTo(t, user.email)).toEqual(['deletion-begun', 'deletion-soon'])
  Object.assign(user, await beginTestSession(t.ctx, user.id))
  using tab = await listen(t, user)
  await pass(t, DAY)
  expect((await tab.closed).code).toBe(4009)
  expect(await kindsTo(t, user.email)).toEqual(['deletion-begun', 'deletion-soon', 'account-deleted'])
  expect(await stateOf(t, user)).toEqual({ email: null, name: '', state: 'erasing' })
  await pass(t, HOUR)
  expect(await stateOf(t, user)).toEqual({ email: null, name: '', state: 'erased' })

  for (const token of [user.token, apiKey]) expect((await refused(t, 'GET /api/user', {}, { token })).status).toBe(401)
  expect((await refused(t, 'POST /api/login', { email: user.email, password: user.password })).status).toBe(422)
  for (const [table, { person }] of Object.entries(RETENTION)) {
    if (person === 'gone')
      expect([table, await count(t.ctx, `${table} WHERE user_id = $1`, [user.id])]).toEqual([table, 0])
  }
  expect(await count(t.ctx, 'messages WHERE body IS NOT NULL OR code IS NOT NULL')).toBe(0)
  expect(await count(t.ctx, 'activations WHERE code IS NOT NULL')).toBe(0)
  expect(await count(t.ctx, `transfers WHERE kind = 'forfeit' AND amount_micros = 87000000`)).toBe(1)
  await expectBooksRight(t.ctx)
  const again = await t.makeUser({ email: 'anna@example.test' })
  expect(again.id).not.toBe(user.id)
})

test('who has left is paid nothing back: the money would be nobody’s', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const user = await t.makeUser({ balance: '143.00' })
  const [bought, rented] = [await buyOne(t, user), await rentOne(t, user)]
  for (const { phone } of [bought, rented]) await pushSms(t, supplier, { phone })
  await call(t, 'POST /api/v1/activations/{id}/finish', { id: bought.id }, user)
  await call(t, 'POST /api/v1/rentals/{id}/finish', { id: rented.id }, user)
  await call(t, ASK, { give_up: '0.00' }, user)
  await pass(t, 14 * DAY)
  expect(await stateOf(t, user)).toMatchObject({ email: null })
  for (const order of [String(bought.id), `rental:${rented.id}`]) {
    const { code, err } = await typed(t.database, 'order:refund', order, ...WHY)
    expect([code, err]).toEqual([1, expect.stringContaining('has left: nothing moved')])
  }
  expect(await count(t.ctx, `transfers WHERE kind = 'refund'`)).toBe(0)
  expect(await count(t.ctx, 'accounts WHERE user_id = $1 AND available_micros = 0', [user.id])).toBe(1)
  await expectBooksRight(t.ctx)
})

test('somebody who changes their mind keeps everything, and may begin once more', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser({ balance: '10.00' })
  expect((await refused(t, CANCEL, {}, user)).body.code).toBe('NOT_FOUND')
  await call(t, ASK, { give_up: '10.00' }, user)
  await call(t, CANCEL, {}, user)
  await pass(t, 20 * DAY)
  Object.assign(user, await beginTestSession(t.ctx, user.id))
  expect(await call(t, 'GET /api/user', {}, user)).toMatchObject({ balance: '10.00', email: user.email })
  expect((await call(t, 'GET /api/v1/privacy', {}, user)).deletion).toBeNull()
  await call(t, ASK, {}, user)
  expect(await stateOf(t, user)).toMatchObject({ state: 'waiting' })
})

test('no more than was seen is given up: money that comes later keeps the account', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser({ balance: '10.00' })
  await call(t, ASK, { give_up: '10.00' }, user)
  await pass(t, 13 * DAY)
  await adjustBalance(t.ctx.db, { userId: user.id, amountMicros: 1n, idempotencyKey: 'late', at: t.clock.now() })
  await pass(t, DAY)
  Object.assign(user, await beginTestSession(t.ctx, user.id))
  expect((await call(t, 'GET /api/v1/privacy', {}, user)).deletion).toMatchObject({ waits_for: ['balance'] })
  await call(t, ASK, { give_up: '10.000001' }, user)
  await pass(t, HOUR)
  expect(await stateOf(t, user)).toMatchObject({ email: null })
  expect(await kindsTo(t, user.email)).toEqual(['deletion-begun', 'deletion-soon', 'account-deleted'])
  await expectBooksRight(t.ctx)
  await t.ctx.db.query({ text: 'UPDATE account_deletions SET gives_up_micros = 10000000' })
  const { checks } = await verifyLedger(t.ctx.db)
  expect(checks.flatMap(({ problems }) => problems)).toEqual([expect.stringContaining('gave up 10000001')])
})

const MEETING = {
  purchase: { key: 'POST /api/v1/activations', input: { service_id: 'tg', country_id: 2 }, refusal: 'BLOCKED' },
  payment: { key: 'POST /api/v1/payments', input: { system: 'fake', amount: '500.00' }, refusal: 'BLOCKED' },
  mind: { key: CANCEL, input: {}, refusal: 'NOT_FOUND' },
} as const

test.each([
  ['purchase', 'first'],
  ['purchase', 'second'],
  ['payment', 'first'],
  ['payment', 'second'],
  ['mind', 'second'],
] as const)('a %s that meets the end of an account and is %s comes before it, or not at all', async (act, place) => {
  await using t = await startTestApp()
  await addFakeGateway(t)
  await t.addFake()
  const user = await t.makeUser({ balance: '20.00' })
  await call(t, ASK, { give_up: '20.00' }, user)
  t.clock.advance(14 * DAY)
  Object.assign(user, await beginTestSession(t.ctx, user.id))
  const { key, input, refusal } = MEETING[act]
  const held = { connectionString: t.database.connectionString, id: user.id, hold: holdAccount }
  const acting = () => send(t, key, input, { token: user.token })
  const ending = () => sweepDeletions(t.ctx)
  const answer =
    place === 'first' ? (await meetAtRow(held, [acting, ending]))[0] : (await meetAtRow(held, [ending, acting]))[1]
  const response = answer.status === 'fulfilled' ? answer.value : null
  const isGone = (await stateOf(t, user))?.email === null
  expect(isGone).toBe(place === 'second')
  expect(response?.body).toMatchObject(isGone ? { code: refusal } : { status: true })
  const open = act === 'payment' ? 'payments' : 'activations'
  expect(await count(t.ctx, `${open} WHERE user_id = $1`, [user.id])).toBe(isGone ? 0 : 1)
  await expectBooksRight(t.ctx)
})

test('a crash between the end and the words of messages is made good by the next run', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser({ balance: '13.00' })
  const supplier = await t.addFake()
  const { phone } = await buyOne(t, user)
  await pushSms(t, supplier, { phone })
  t.clock.advance(DAY)
  await sweepExpired(t.ctx)
  Object.assign(user, await beginTestSession(t.ctx, user.id))
  await call(t, ASK, {}, user)
  await t.ctx.db.query({ text: 'ALTER TABLE messages RENAME TO messages_away' })
  await pass(t, 14 * DAY)
  expect(t.log.lines.map(({ sentence }) => sentence)).toContain('an account could not be deleted')
  expect(await stateOf(t, user)).toMatchObject({ email: null, state: 'erasing' })
  await t.ctx.db.query({ text: 'ALTER TABLE messages_away RENAME TO messages' })
  await pass(t, HOUR)
  expect(await count(t.ctx, 'messages WHERE body IS NOT NULL')).toBe(0)
  expect(await stateOf(t, user)).toMatchObject({ state: 'erased' })
  expect((await kindsTo(t, user.email)).filter((kind) => kind === 'account-deleted')).toHaveLength(1)
})

test('what a request wrote about somebody who had just left goes an hour later; two sweeps at once end an account once', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser({ balance: '5.00' })
  await call(t, ASK, { give_up: '5.00' }, user)
  t.clock.advance(14 * DAY)
  await Promise.all([sweepDeletions(t.ctx), sweepDeletions(t.ctx)])
  expect(await count(t.ctx, `transfers WHERE kind = 'forfeit'`)).toBe(1)
  expect((await kindsTo(t, user.email)).filter((kind) => kind === 'account-deleted')).toHaveLength(1)
  const late = await beginTestSession(t.ctx, user.id)
  expect((await refused(t, 'GET /api/user', {}, late)).status).toBe(401)
  await pass(t, HOUR)
  expect(await count(t.ctx, 'sessions WHERE user_id = $1', [user.id])).toBe(0)
  await expectBooksRight(t.ctx)
})

test('who has left invites nobody: their link is a visit, and shares that waited are refused', async () => {
  await using t = await startTestApp({ environment: { REFERRAL_PERCENT: '10', REFERRAL_OF: 'spend' } })
  const supplier = await t.addFake()
  const user = await t.makeUser({ balance: '0' })
  const buyer = await invited(t, user)
  await spend(t, supplier, buyer)
  await sweepReferral(t.ctx)
  expect(await count(t.ctx, `referral_shares WHERE state = 'pending' AND due_micros > 0`)).toBe(1)
  await call(t, ASK, {}, user)
  await pass(t, 14 * DAY)
  expect(await stateOf(t, user)).toMatchObject({ email: null })
  expect(await count(t.ctx, `referral_shares WHERE state = 'refused'`)).toBe(1)
  await spend(t, supplier, buyer)
  t.clock.advance(30 * DAY)
  await sweepReferral(t.ctx)
  expect(
    await count(t.ctx, 'accounts WHERE user_id = $1 AND referral_micros = 0 AND available_micros = 0', [user.id]),
  ).toBe(1)
  const late = {
    email: 'b@example.test',
    name: 'B',
    passwordHash: null,
    role: 'user',
    zone: 'ru',
    locale: 'ru',
  } as const
  const id = await transaction(t.ctx.db, (tx) =>
    createUser(tx, { ...late, currency: 'rub', referrerId: user.id, now: t.clock.now() }),
  )
  expect(await count(t.ctx, 'users WHERE id = $1 AND referrer_id IS NULL', [id])).toBe(1)
  await expectBooksRight(t.ctx)
})

test('a sum that is none, and somebody who has not confirmed who they are, delete nothing', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  for (const give_up of ['-1', 'all', '1e9', '99999999999999999999', '1.2345678']) {
    expect((await refused(t, ASK, { give_up }, user)).body.errors).toHaveProperty('give_up')
  }
  expect((await refused(t, ASK, { everything: true }, user)).status).toBe(422)
  expect((await refused(t, ASK, {}, { token: await t.makeApiKey(user) })).body.code).toBe('FORBIDDEN')
  t.clock.advance(6 * MINUTE)
  expect((await refused(t, ASK, {}, user)).body.code).toBe('CONFIRM_PASSWORD')
  expect(await count(t.ctx, 'account_deletions')).toBe(0)
})
