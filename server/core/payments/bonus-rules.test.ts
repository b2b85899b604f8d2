import { expect, test } from 'vitest'
import { DAY } from '#contract/time.ts'
import { endBonusRule, insertBonusRule } from '#server/programs/cli/queries/bonuses.ts'
import { reverse, tell, topUp } from '#test/builders/money/top-ups.ts'
import { balanceOf, begin, expectRightBooks, look, payer } from '#test/builders/payments.ts'
import { addFakeGateway, arrived } from '#test/fakes/fake-gateway.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'

async function addRule(t: TestApp, ...words: string[]): Promise<void> {
  const from = words.includes('--from') ? [] : ['--from', '2026-01-01']
  expect(await typed(t.database, 'bonus:add', ...words, ...from, ...WHY)).toMatchObject({ code: 0, err: '' })
}
const FIRST = ['welcome', 'first', '--currency', 'rub', '--percent', '20', '--least', '100', '--most', '150']
const ABOVE = ['big', 'above', '--currency', 'rub', '--amount', '50', '--least', '1000']

const offered = async (t: TestApp, user: TestUser) => {
  const { bonuses } = await call(t, 'GET /api/payments', {}, { token: user.token })
  return bonuses.map(({ kind }) => kind)
}

test('the first top-up has its bonus, beside that of the system, and no other has it', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  Object.assign(gateway.system, { bonusPoints: 1_000 })
  const user = await payer(t)
  await addRule(t, ...FIRST)
  const { bonuses } = await call(t, 'GET /api/payments', {}, { token: user.token })
  expect(bonuses).toEqual([
    { kind: 'first', least: '100.00', percent: '20', amount: null, most: '150.00', ends_at: null },
  ])
  expect(await begin(t, user, '99.99')).toMatchObject({ bonus: '9.99' })
  const payment = await begin(t, user, '500.00')
  expect(payment).toMatchObject({ bonus: '150.00' })
  await tell(t, gateway, payment.transaction_id, arrived(['half', 20_000]))
  expect(await look(t, user, payment.transaction_id)).toMatchObject({
    state: 'partial',
    bonus: '150.00',
    credited: '200.00',
  })
  await tell(t, gateway, payment.transaction_id, arrived(['half', 20_000], ['rest', 30_000]))
  expect(await look(t, user, payment.transaction_id)).toMatchObject({
    state: 'paid',
    bonus: '150.00',
    credited: '650.00',
  })
  expect(await balanceOf(t, user)).toBe('650.00')
  expect(await offered(t, user)).toEqual([])
  expect(await begin(t, user, '500.00')).toMatchObject({ bonus: '50.00' })
  await expectRightBooks(t)
})

test('of twenty payments at once that were promised the same bonus one has it, and the others say what came', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const users = await Promise.all(Array.from({ length: 4 }, () => payer(t)))
  await addRule(t, ...FIRST)
  const payments = []
  for (const user of users) {
    for (let number = 0; number < 5; number += 1) payments.push({ user, ...(await begin(t, user, '500.00')) })
  }
  expect(payments.map(({ bonus }) => bonus)).toEqual(payments.map(() => '100.00'))
  await Promise.all(payments.map(({ transaction_id: id }) => tell(t, gateway, id, arrived([`d-${id}`, 50_000]))))
  for (const user of users) {
    const seen = await Promise.all(
      payments.filter((one) => one.user === user).map((one) => look(t, user, one.transaction_id)),
    )
    expect(seen.map(({ credited }) => credited).sort()).toEqual(['500.00', '500.00', '500.00', '500.00', '600.00'])
    expect(seen.map(({ bonus }) => bonus).sort()).toEqual(['0.00', '0.00', '0.00', '0.00', '100.00'])
    expect(await balanceOf(t, user)).toBe('2600.00')
  }
  await expectRightBooks(t)
})

test('an open payment promises no bonus that another has got meanwhile', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  await addRule(t, ...FIRST)
  await addRule(t, 'other', 'first', '--currency', 'rub', '--amount', '90', '--least', '100')
  const [same, small] = [await begin(t, user, '500.00'), await begin(t, user, '100.00')]
  expect([same.bonus, small.bonus]).toEqual(['100.00', '90.00'])
  await topUp(t, gateway, user, '500.00')
  expect((await look(t, user, same.transaction_id)).bonus).toBe('0.00')
  expect((await look(t, user, small.transaction_id)).bonus).toBe('0.00')
  await tell(t, gateway, small.transaction_id, arrived(['late', 10_000]))
  expect(await look(t, user, small.transaction_id)).toMatchObject({ bonus: '0.00', credited: '100.00' })
  expect(await balanceOf(t, user)).toBe('700.00')
  await expectRightBooks(t)
})

test('what goes back takes its share of the bonus along; all of it may not come again', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  await addRule(t, ...FIRST)
  await addRule(t, ...ABOVE)
  const first = await topUp(t, gateway, user, '500.00')
  expect(await balanceOf(t, user)).toBe('600.00')
  await reverse(t, gateway, { transaction: first, cents: 25_000, kind: 'refund', state: 'done' })
  expect(await look(t, user, first)).toMatchObject({ bonus: '50.00', credited: '300.00' })
  const more = await call(t, 'GET /api/payments-history', {}, { token: user.token })
  expect(more.history.data[0]).toMatchObject({ state: 'paid', refunded: '250.00' })
  expect(await offered(t, user)).toEqual(['above'])

  const large = await topUp(t, gateway, user, '1000.00')
  await reverse(t, gateway, { transaction: large, cents: 100_000, kind: 'dispute', state: 'lost' })
  expect([await balanceOf(t, user), await offered(t, user)]).toEqual(['300.00', []])
  await topUp(t, gateway, user, '1000.00')
  expect(await balanceOf(t, user)).toBe('1300.00')
  await expectRightBooks(t)
})

test('a payment that is disputed as it becomes whole has its bonus when the dispute is won', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  await addRule(t, ...FIRST)
  const [disputed, other] = [await begin(t, user, '500.00'), await begin(t, user, '500.00')]
  const id = disputed.transaction_id
  const dispute = { kind: 'dispute', providerId: 'x', amountMicros: 500_000_000n } as const
  const whole = arrived([`d-${id}`, 50_000])
  await tell(t, gateway, id, { ...whole, reversals: [{ ...dispute, state: 'open' }] })
  await tell(t, gateway, other.transaction_id, arrived(['other', 50_000]))
  expect(await balanceOf(t, user)).toBe('500.00')
  await tell(t, gateway, id, { ...whole, reversals: [{ ...dispute, state: 'won' }] })
  expect(await look(t, user, id)).toMatchObject({ state: 'paid', bonus: '100.00' })
  expect(await balanceOf(t, user)).toBe('1100.00')
  await expectRightBooks(t)
})

test('a promise that was made holds after its rule has ended; before its time and in another currency there is none', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const [user, dollars] = [await payer(t), await t.makeUser({ balance: '1.00', currency: 'usd' })]
  await addRule(t, ...ABOVE)
  await addRule(t, 'later', 'first', '--currency', 'rub', '--percent', '1', '--most', '9', '--from', '2026-03-02')
  await insertBonusRule(t.ctx.db, {
    name: 'dollars',
    kind: 'first',
    currency: 'usd',
    leastMicros: 0n,
    points: 100,
    amountMicros: null,
    mostMicros: null,
    beginsAt: t.clock.now(),
    endsAt: new Date(t.clock.now().getTime() + DAY),
    now: t.clock.now(),
  })
  expect([await offered(t, user), await offered(t, dollars)]).toEqual([['above'], ['first']])
  const payment = await begin(t, user, '1000.00')
  expect(await endBonusRule(t.ctx.db, { name: 'big', now: t.clock.now() })).toBe(true)
  expect(await typed(t.database, 'bonus:end', 'big', ...WHY)).toMatchObject({ code: 1 })
  expect(await offered(t, user)).toEqual([])
  expect((await begin(t, user, '1000.00')).bonus).toBe('0.00')
  await tell(t, gateway, payment.transaction_id, arrived(['d', 100_000]))
  expect(await balanceOf(t, user)).toBe('1050.00')
  t.clock.advance(DAY)
  expect(await offered(t, user)).toEqual([])
  expect(await offered(t, await payer(t))).toEqual(['first'])
  expect(await offered(t, await t.makeUser({ balance: '1.00', currency: 'usd' }))).toEqual([])
  expect((await typed(t.database, 'bonus:list')).out).toContain(
    'big (ended): 50.00 rub for one top-up from 1000.00 rub on',
  )
  await expectRightBooks(t)
})

test('a voucher is no top-up: the bonus of the first one waits for it', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  await t.addGateway({ code: 'gift', kind: 'vouchers' })
  const user = await payer(t)
  await addRule(t, ...FIRST)
  const made = await typed(
    t.database,
    'voucher:create',
    'gift',
    '1',
    '500',
    '--currency',
    'rub',
    '--batch',
    'x',
    '--json',
    ...WHY,
  )
  const { codes } = JSON.parse(made.out) as { codes: string }
  await call(t, 'POST /api/v1/vouchers', { code: codes }, { token: user.token })
  await topUp(t, gateway, user, '500.00')
  expect(await balanceOf(t, user)).toBe('1100.00')
  await expectRightBooks(t)
})

test.each([
  [['x', 'first', '--currency', 'rub'], 2, 'one of --percent and --amount'],
  [['x', 'first', '--currency', 'rub', '--percent', '5', '--amount', '5'], 2, 'one of --percent and --amount'],
  [['x', 'first', '--currency', 'eur', '--percent', '5'], 2, '--currency is one of'],
  [['x', 'second', '--currency', 'rub', '--percent', '5'], 2, 'first or above'],
  [['x', 'above', '--currency', 'rub', '--percent', '5'], 2, '--least says'],
  [['x', 'first', '--currency', 'rub', '--percent', '100.01'], 2, '--percent is such as'],
  [['x', 'first', '--currency', 'rub', '--percent', '0'], 2, '--percent is such as'],
  [['x', 'first', '--currency', 'rub', '--amount', '1.001'], 2, '--amount is such as'],
  [['x', 'first', '--currency', 'rub', '--amount', '-1'], 2, '--amount is such as'],
  [['x', 'first', '--currency', 'rub', '--percent', '5', '--until', '2020-01-01'], 2, '--until is after'],
  [['x', 'first', '--currency', 'rub', '--percent', '5'], 1, 'Without --most'],
  [['x', 'first', '--currency', 'rub', '--amount', '100'], 1, '100.00 rub would be given for a top-up of 0.00 rub'],
])('a rule that makes no sense is refused in words: %j', async (words, code, why) => {
  await using t = await startTestApp()
  const said = await typed(t.database, 'bonus:add', ...words, ...WHY)
  expect(said).toMatchObject({ code, err: expect.stringContaining(why) })
})
