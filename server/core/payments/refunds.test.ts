import { expect, test } from 'vitest'
import { paid, reversal, tell } from '#test/builders/money/reversals.ts'
import { balanceOf, expectRightBooks, look, payer } from '#test/builders/payments.ts'
import { addFakeGateway, arrived } from '#test/fakes/fake-gateway.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { auditOf, typed, WHY } from '#test/harness/typed.ts'
import { reconcilePayments } from './reconcile.ts'

test('a refund is not taken for one of the same amount that failed before it', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const transaction = await paid(t, gateway, user)
  const facts = gateway.facts.get(transaction) ?? arrived()
  const refund = () => typed(t.database, 'payment:refund', transaction, '--amount', '100', ...WHY)
  gateway.onRefund = async ({ reference }) => {
    const failed = { ...reversal('refund', 'failed', 10_000, 're-failed'), reference }
    gateway.facts.set(transaction, { ...facts, reversals: [failed] })
    return { outcome: 'refused', reason: 'failed' }
  }
  await refund()
  await t.runJobs()
  expect(await balanceOf(t, user)).toBe('500.00')
  gateway.onRefund = async () => {
    throw new Error('no answer within 10000 ms')
  }
  expect(await refund()).toMatchObject({ code: 0 })
  await t.runJobs()
  await tell(t, gateway, transaction, gateway.facts.get(transaction) ?? facts)
  expect(await balanceOf(t, user)).toBe('400.00')
  const made: string[] = []
  gateway.onRefund = async ({ reference }) => {
    made.push(reference)
    return { outcome: 'done', providerId: `re-${reference}` }
  }
  await t.hurryJobs()
  expect(made).toHaveLength(1)
  expect(await look(t, user, transaction)).toMatchObject({ refunded: '100.00', credited: '400.00' })
  await expectRightBooks(t)
})

test('of two refunds of one amount each is paid back, though the first never reached the gateway at first', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const transaction = await paid(t, gateway, user)
  const facts = gateway.facts.get(transaction) ?? arrived()
  const made = new Set<string>()
  gateway.onRefund = async ({ reference }) => {
    if (gateway.refunds.length === 1) throw new Error('ECONNREFUSED')
    made.add(reference)
    const told = [...made].map((one) => ({ ...reversal('refund', 'done', 10_000, `re-${one}`), reference: one }))
    await tell(t, gateway, transaction, { ...facts, reversals: told })
    return { outcome: 'done', providerId: `re-${reference}` }
  }
  for (const key of ['one', 'two'])
    await typed(t.database, 'payment:refund', transaction, '--amount', '100', '--key', key, ...WHY)
  await t.runJobs()
  await t.hurryJobs()
  expect(made.size).toBe(2)
  expect(await look(t, user, transaction)).toMatchObject({ refunded: '200.00', credited: '300.00' })
  await expectRightBooks(t)
})

test('a refund whose job has given up is asked for again, and staff see it meanwhile', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const transaction = await paid(t, gateway, user)
  gateway.onRefund = async () => {
    throw new Error('401 invalid API key')
  }
  await typed(t.database, 'payment:refund', transaction, ...WHY)
  await reconcilePayments(t.ctx)
  await t.ctx.db.query({ text: 'UPDATE graphile_worker._private_jobs SET max_attempts = 2' })
  for (const _ of [1, 2, 3]) await t.hurryJobs()
  expect(gateway.refunds).toHaveLength(2)
  expect(await typed(t.database, 'gateway:list')).toMatchObject({ out: expect.stringContaining('1 refunds asked') })
  const listed = await typed(t.database, 'payment:list', '--state', 'refunding')
  expect(listed).toMatchObject({ out: expect.stringContaining('500.00 asked to be paid back') })
  gateway.onRefund = async ({ reference }) => ({ outcome: 'done', providerId: `re-${reference}` })
  await Promise.all([reconcilePayments(t.ctx), reconcilePayments(t.ctx)])
  await t.hurryJobs()
  expect(gateway.refunds).toHaveLength(3)
  expect(new Set(gateway.refunds.map(({ reference }) => reference)).size).toBe(1)
  expect(await typed(t.database, 'payment:list', '--state', 'refunding')).not.toMatchObject({
    out: expect.stringContaining('asked to be paid back'),
  })
  expect(await look(t, user, transaction)).toMatchObject({ state: 'refunded', credited: '0.00' })
  await expectRightBooks(t)
})

test('payment:refund-cancel returns the money of a refund that the gateway has not got, and of no other', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const transaction = await paid(t, gateway, user)
  const cancel = () => typed(t.database, 'payment:refund-cancel', transaction, ...WHY)
  expect(await cancel()).toMatchObject({
    code: 1,
    err: expect.stringContaining('has no refund that fake has not answered'),
  })
  gateway.onRefund = async () => {
    throw new Error('no answer within 10000 ms')
  }
  await typed(t.database, 'payment:refund', transaction, '--amount', '100', ...WHY)
  await t.runJobs()
  expect(await cancel()).toMatchObject({ code: 0, out: expect.stringContaining('the refund of 100.00 rub') })
  gateway.onFindRefund = async () => {
    throw new Error('503')
  }
  await t.hurryJobs()
  expect(await balanceOf(t, user)).toBe('400.00')
  gateway.onFindRefund = async () => null
  await t.hurryJobs()
  expect(await balanceOf(t, user)).toBe('500.00')
  expect(gateway.refunds).toHaveLength(1)
  expect(await look(t, user, transaction)).toMatchObject({ state: 'paid', refunded: '0.00' })

  await typed(t.database, 'payment:refund', transaction, '--amount', '200', ...WHY)
  await t.runJobs()
  expect(await cancel()).toMatchObject({ code: 0 })
  gateway.onFindRefund = async ({ reference }) => ({ outcome: 'done', providerId: `re-${reference}` })
  await t.hurryJobs()
  expect(await balanceOf(t, user)).toBe('300.00')
  expect(await look(t, user, transaction)).toMatchObject({ state: 'paid', refunded: '200.00' })
  expect(await cancel()).toMatchObject({ code: 1 })
  const audited = (await auditOf(t.ctx.db)).filter(({ command }) => command === 'payment:refund-cancel')
  expect(audited).toMatchObject([{ detail: { amount: '100.00' } }, { detail: { amount: '200.00' } }])
  await expectRightBooks(t)
})
