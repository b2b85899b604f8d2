import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '#contract/time.ts'
import { debtOf, paid, reversal, tell } from '#test/builders/money/reversals.ts'
import { balanceOf, begin, expectRightBooks, look, payer } from '#test/builders/payments.ts'
import { addFakeGateway, arrived } from '#test/fakes/fake-gateway.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { reconcilePayments } from './reconcile.ts'

test('a dispute takes the money and its bonus back; what was spent is owed, stops buying, and is paid first', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const gateway = await addFakeGateway(t)
  Object.assign(gateway.system, { bonusPoints: 1000 })
  const user = await payer(t)
  const transaction = await paid(t, gateway, user)
  expect(await balanceOf(t, user)).toBe('550.00')
  const facts = gateway.facts.get(transaction) ?? arrived()
  await typed(t.database, 'user:credit', user.email, '-450', '--key', 'spent', ...WHY)
  await tell(t, gateway, transaction, { ...facts, reversals: [reversal('dispute', 'open', 50_000)] })
  expect([await balanceOf(t, user), await debtOf(t, user)]).toEqual(['0.00', 45_000n])
  expect(await look(t, user, transaction)).toMatchObject({
    state: 'disputed',
    refunded: '500.00',
    bonus: '0.00',
    credited: '0.00',
  })
  await tell(t, gateway, transaction, { ...facts, reversals: [reversal('dispute', 'open', 50_000)] })
  expect(await debtOf(t, user)).toBe(45_000n)
  await expectRightBooks(t)

  Object.assign(gateway.system, { bonusPoints: 0 })
  await paid(t, gateway, user, 40_000)
  expect([await balanceOf(t, user), await debtOf(t, user)]).toEqual(['0.00', 5_000n])
  const order = { service_id: 'tg', country_id: 2 }
  expect(await refused(t, 'POST /api/v1/activations', order, { token: user.token })).toMatchObject({
    body: { code: 'IN_DEBT', data: { debt: '50.00' } },
  })
  await paid(t, gateway, user, 10_000)
  expect([await balanceOf(t, user), await debtOf(t, user)]).toEqual(['50.00', 0n])
  await call(t, 'POST /api/v1/activations', order, { token: user.token })
  await expectRightBooks(t)

  await tell(t, gateway, transaction, { ...facts, reversals: [reversal('dispute', 'won', 50_000)] })
  expect(await look(t, user, transaction)).toMatchObject({ state: 'paid', refunded: '0.00', credited: '550.00' })
  await tell(t, gateway, transaction, { ...facts, reversals: [reversal('dispute', 'lost', 50_000)] })
  expect(await look(t, user, transaction)).toMatchObject({ state: 'paid' })
  await expectRightBooks(t)
})

test('two disputes at once of somebody who has spent all leave one debt that is the sum', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const both = [await paid(t, gateway, user), await paid(t, gateway, user)]
  await typed(t.database, 'user:credit', user.email, '-900', '--key', 'spent', ...WHY)
  await Promise.all(
    both.map(async (transaction, place) => {
      const facts = gateway.facts.get(transaction) ?? arrived()
      gateway.facts.set(transaction, { ...facts, reversals: [reversal('dispute', 'open', 50_000, `dispute ${place}`)] })
      await gateway.send(t, { event: `both ${place}`, transaction })
    }),
  )
  await t.ctx.background.idle()
  expect([await balanceOf(t, user), await debtOf(t, user)]).toEqual(['0.00', 90_000n])
  await expectRightBooks(t)
})

test('payment:refund pays unspent money back once, through the gateway, and gives it back when that fails', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  Object.assign(gateway.system, { bonusPoints: 1000 })
  const user = await payer(t)
  const transaction = await paid(t, gateway, user)
  const refund = (...more: string[]) => typed(t.database, 'payment:refund', transaction, ...more, ...WHY)
  expect(await refund('--amount', '600')).toMatchObject({
    code: 1,
    err: expect.stringContaining('more than has arrived'),
  })
  expect(await refund('--amount', '100')).toMatchObject({
    code: 0,
    out: expect.stringContaining('is asked to pay back'),
  })
  // The refunded money cannot be spent before the gateway has answered: 500 + 50 − 100 − 10.
  expect(await balanceOf(t, user)).toBe('440.00')
  await t.runJobs()
  expect(gateway.refunds).toMatchObject([{ amountMicros: 100_000_000n, payment: { transactionId: transaction } }])
  expect(await look(t, user, transaction)).toMatchObject({ state: 'paid', refunded: '100.00' })

  gateway.onRefund = async () => ({ outcome: 'refused', reason: 'no funds' })
  expect(await refund()).toMatchObject({ code: 0, out: expect.stringContaining('400.00 rub of payment') })
  expect(await refund()).toMatchObject({ code: 1, err: expect.stringContaining('has gone back') })
  expect(await look(t, user, transaction)).toMatchObject({ state: 'refunded' })
  await t.runJobs()
  expect(await look(t, user, transaction)).toMatchObject({ state: 'paid', refunded: '100.00' })
  expect(await balanceOf(t, user)).toBe('440.00')
  await typed(t.database, 'user:credit', user.email, '-300', '--key', 'spent', ...WHY)
  expect(await refund('--amount', '200')).toMatchObject({ code: 1, err: expect.stringContaining('has been spent') })
  await expectRightBooks(t)
})

test('a refund that the gateway tells of before it answers, or that somebody made in its own pages, is counted once', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const transaction = await paid(t, gateway, user)
  const facts = gateway.facts.get(transaction) ?? arrived()
  gateway.onRefund = async ({ reference }) => {
    await tell(t, gateway, transaction, {
      ...facts,
      reversals: [{ ...reversal('refund', 'done', 20_000, 're-1'), reference }],
    })
    return { outcome: 'done', providerId: 're-1' }
  }
  await typed(t.database, 'payment:refund', transaction, '--amount', '200', ...WHY)
  await t.runJobs()
  expect(await look(t, user, transaction)).toMatchObject({ refunded: '200.00', credited: '300.00' })
  const reversals = [reversal('refund', 'done', 20_000, 're-1'), reversal('refund', 'done', 30_000, 're-2')]
  await tell(t, gateway, transaction, { ...facts, reversals })
  expect(await look(t, user, transaction)).toMatchObject({ state: 'refunded', refunded: '500.00', credited: '0.00' })
  expect(await balanceOf(t, user)).toBe('0.00')
  const [first] = reversals
  if (first === undefined) throw new Error('there are two')
  await tell(t, gateway, transaction, { ...facts, reversals: [first, reversal('refund', 'failed', 30_000, 're-2')] })
  expect(await balanceOf(t, user)).toBe('300.00')
  expect(await look(t, user, transaction)).toMatchObject({ state: 'paid' })
  await expectRightBooks(t)
})

test('two refunds of one amount, told of the wrong way round before either is answered, are both done once', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const transaction = await paid(t, gateway, user)
  const facts = gateway.facts.get(transaction) ?? arrived()
  const again = ['--again', ...WHY]
  for (const _ of [1, 2]) await typed(t.database, 'payment:refund', transaction, '--amount', '100', ...again)
  const references: string[] = []
  const told = () =>
    references.map((reference) => ({ ...reversal('refund', 'done', 10_000, `re-${reference}`), reference }))
  gateway.onRefund = async ({ reference }) => {
    references.unshift(reference)
    if (references.length === 1) throw new Error('no answer')
    await tell(t, gateway, transaction, { ...facts, reversals: told() })
    return { outcome: 'done', providerId: `re-${reference}` }
  }
  await t.runJobs()
  gateway.facts.set(transaction, { ...facts, reversals: told() })
  gateway.onRefund = async ({ reference }) => ({ outcome: 'done', providerId: `re-${reference}` })
  t.clock.advance(HOUR)
  await t.runJobs()
  expect(await look(t, user, transaction)).toMatchObject({ state: 'paid', refunded: '200.00', credited: '300.00' })
  const { rows } = await t.ctx.db.query<{ state: string; provider_id: string }>({
    text: 'SELECT state, provider_id FROM reversals ORDER BY provider_id',
    values: [],
  })
  expect(rows.map(({ state }) => state)).toEqual(['done', 'done'])
  expect(new Set(rows.map((row) => row.provider_id)).size).toBe(2)
  await expectRightBooks(t)
})

test('a refund that is under way at the gateway is asked about until it has ended, without a webhook', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const transaction = await paid(t, gateway, user)
  const facts = gateway.facts.get(transaction) ?? arrived()
  gateway.onRefund = async () => ({ outcome: 'asked', providerId: 're-slow' })
  gateway.facts.set(transaction, { ...facts, reversals: [] })
  await typed(t.database, 'payment:refund', transaction, ...WHY)
  await t.runJobs()
  expect(await balanceOf(t, user)).toBe('0.00')
  gateway.facts.set(transaction, { ...facts, reversals: [reversal('refund', 'failed', 50_000, 're-slow')] })
  t.clock.advance(6 * HOUR + MINUTE)
  await reconcilePayments(t.ctx)
  expect(await balanceOf(t, user)).toBe('500.00')
  expect(await look(t, user, transaction)).toMatchObject({ state: 'paid', refunded: '0.00' })
  await expectRightBooks(t)
})

test('a question without an answer does not end the watch over a refund under way, nor over an open dispute', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const [user, other] = [await payer(t), await payer(t)]
  const [refunded, disputed] = [await paid(t, gateway, user), await paid(t, gateway, other)]
  const facts = (id: string) => gateway.facts.get(id) ?? arrived()
  const [before, beforeDispute] = [facts(refunded), facts(disputed)]
  gateway.onRefund = async () => ({ outcome: 'asked', providerId: 're-slow' })
  await typed(t.database, 'payment:refund', refunded, ...WHY)
  await t.runJobs()
  await tell(t, gateway, disputed, { ...beforeDispute, reversals: [reversal('dispute', 'open', 50_000)] })
  expect([await balanceOf(t, user), await balanceOf(t, other)]).toEqual(['0.00', '0.00'])
  const standard = gateway.onFetch
  gateway.onFetch = async () => {
    throw new Error('no answer within 10000 ms')
  }
  t.clock.advance(6 * HOUR + MINUTE)
  await reconcilePayments(t.ctx)
  gateway.onFetch = standard
  gateway.facts.set(refunded, { ...before, reversals: [reversal('refund', 'failed', 50_000, 're-slow')] })
  gateway.facts.set(disputed, { ...beforeDispute, reversals: [reversal('dispute', 'won', 50_000)] })
  t.clock.advance(6 * HOUR + MINUTE)
  await reconcilePayments(t.ctx)
  expect([await balanceOf(t, user), await balanceOf(t, other)]).toEqual(['500.00', '500.00'])
  await expectRightBooks(t)
})

test('a refund that staff noted and made by hand is not taken again when the gateway tells of it; a second one is', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const transaction = await paid(t, gateway, user)
  const facts = gateway.facts.get(transaction) ?? arrived()
  await t.ctx.db.query({ text: `UPDATE gateways SET kind = 'transfer'`, values: [] })
  await typed(t.database, 'payment:refund', transaction, '--amount', '100', ...WHY)
  expect(await balanceOf(t, user)).toBe('400.00')
  const first = reversal('refund', 'done', 10_000, 're-1')
  await tell(t, gateway, transaction, { ...facts, reversals: [first] })
  await tell(t, gateway, transaction, { ...facts, reversals: [first] })
  expect(await balanceOf(t, user)).toBe('400.00')
  await tell(t, gateway, transaction, { ...facts, reversals: [first, reversal('refund', 'done', 10_000, 're-2')] })
  expect(await look(t, user, transaction)).toMatchObject({ state: 'paid', refunded: '200.00' })
  await expectRightBooks(t)
})

test('two who refund at once pay back once', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const transaction = await paid(t, gateway, user)
  const said = await Promise.all([1, 2].map(() => typed(t.database, 'payment:refund', transaction, ...WHY)))
  expect(said.map(({ code }) => code).toSorted()).toEqual([0, 1])
  await t.runJobs()
  expect(gateway.refunds).toHaveLength(1)
  t.clock.advance(MINUTE)
  await expectRightBooks(t)
})

test('a part of a partial payment that goes back does not make it paid: the rest can still come, with its bonus', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  Object.assign(gateway.system, { bonusPoints: 1000 })
  const user = await payer(t)
  const { transaction_id } = await begin(t, user)
  await tell(t, gateway, transaction_id, arrived(['part', 30_000]))
  await typed(t.database, 'payment:refund', transaction_id, '--amount', '100', ...WHY)
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'partial', paid_at: null, bonus: '50.00' })
  await typed(t.database, 'payment:refund', transaction_id, ...WHY)
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'refunded', paid_at: expect.any(String) })
  await expectRightBooks(t)
})
