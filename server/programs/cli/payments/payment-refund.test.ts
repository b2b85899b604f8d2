import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '#contract/time.ts'
import { payRewards } from '#server/core/programmes/loyalty/pay-rewards.ts'
import { sweepReferral } from '#server/core/programmes/referral/settle-shares.ts'
import { debtOf, paid } from '#test/builders/money/reversals.ts'
import { topUp } from '#test/builders/money/top-ups.ts'
import { balanceOf, expectRightBooks, payer } from '#test/builders/payments.ts'
import { invited } from '#test/builders/referral.ts'
import { addFakeGateway } from '#test/fakes/fake-gateway.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { auditOf, typed, WHY } from '#test/harness/typed.ts'

const SHARES = { REFERRAL_PERCENT: '10', REFERRAL_PENDING_DAYS: '0', REFERRAL_OF: 'topup' }
/** The test clock begins nine hours before the end of a week. */
const PAID_BY_THEN = 9 * HOUR + 10 * MINUTE

async function spendAll(t: TestApp, user: TestUser, amount: string): Promise<void> {
  await typed(t.database, 'user:credit', user.email, `-${amount}`, '--key', `spent-${amount}`, ...WHY)
}

test('a refund that makes the inviter of its payer a debtor says whom and of how much, and needs --yes', async () => {
  await using t = await startTestApp({ environment: SHARES })
  const gateway = await addFakeGateway(t)
  const referrer = await payer(t)
  const transaction = await paid(t, gateway, await invited(t, referrer, '0'), 100_000)
  await sweepReferral(t.ctx)
  const refund = (...more: string[]) => typed(t.database, 'payment:refund', transaction, '--amount', ...more, ...WHY)
  expect(await refund('100')).toMatchObject({
    code: 0,
    out: expect.stringContaining(`With it goes 10.00 rub of the referral share of ${referrer.email}.`),
  })
  await sweepReferral(t.ctx)
  const wish = { amount: '90', to: 'balance' } as const
  await call(t, 'POST /api/v1/referral/withdrawals', wish, { token: referrer.token })
  await spendAll(t, referrer, '70')
  const doubt = await refund('500')
  expect(doubt).toMatchObject({ code: 1, out: '' })
  expect(doubt.err).toContain(`50.00 rub of the referral share of ${referrer.email}`)
  expect(doubt.err).toContain('30.00 rub of it, being withdrawn, would be a debt')
  expect(doubt.err).toContain('--yes')
  await t.runJobs()
  expect(gateway.refunds).toMatchObject([{ amountMicros: 100_000_000n }])

  expect(await refund('500', '--yes')).toMatchObject({ code: 0 })
  await sweepReferral(t.ctx)
  expect(await debtOf(t, referrer)).toBe(3_000n)
  const [audited] = (await auditOf(t.ctx.db)).filter(({ command }) => command === 'payment:refund').toReversed()
  expect(audited).toMatchObject({ detail: { share: { userId: referrer.id, back: '50.00', owed: '30.00' } } })
  await expectRightBooks(t)
})

test('a refund takes the loyalty reward that it leaves no ground for, and no more of it', async () => {
  await using t = await startTestApp({ environment: { LOYALTY: 'week' } })
  const gateway = await addFakeGateway(t)
  await payRewards(t.ctx)
  const user = await payer(t)
  const small = await topUp(t, gateway, user, '1000.00')
  await topUp(t, gateway, user, '3500.00')
  t.clock.advance(PAID_BY_THEN)
  await payRewards(t.ctx)
  expect(await balanceOf(t, user)).toBe('4725.00')
  await spendAll(t, user, '4600')
  const refund = (...more: string[]) => typed(t.database, 'payment:refund', small, '--amount', ...more, ...WHY)
  // The loyalty rank stays, so only 5 of the reward's 225 go back, which the balance of 125 covers.
  expect(await refund('100')).toMatchObject({
    code: 0,
    out: expect.stringContaining('With it goes a loyalty reward of 5.00 rub.'),
  })
  expect(await balanceOf(t, user)).toBe('20.00')
  await payRewards(t.ctx)
  expect(await balanceOf(t, user)).toBe('20.00')

  await typed(t.database, 'user:credit', user.email, '500', '--key', 'gift', ...WHY)
  // The rank falls to 4 %, because 3900 of top-ups are left. 64 of the reward's 220 go back; 20 are available.
  const doubt = await refund('500')
  expect(doubt.code).toBe(1)
  expect(doubt.err).toContain('its loyalty reward of 64.00 rub goes back too, and 44.00 rub of it')
  expect([await balanceOf(t, user), await debtOf(t, user)]).toEqual(['520.00', 0n])
  expect(await refund('500', '--yes')).toMatchObject({ code: 0 })
  expect([await balanceOf(t, user), await debtOf(t, user)]).toEqual(['0.00', 4_400n])
  await payRewards(t.ctx)
  expect([await balanceOf(t, user), await debtOf(t, user)]).toEqual(['0.00', 4_400n])
  await expectRightBooks(t)
})

test('what was spent is named with the bonus and the fee, and no --yes helps', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  Object.assign(gateway.system, { bonusPoints: 1000, feePoints: 200 })
  const user = await payer(t)
  const transaction = await paid(t, gateway, user)
  await spendAll(t, user, '500')
  const said = await typed(t.database, 'payment:refund', transaction, '--yes', ...WHY)
  expect(said.code).toBe(1)
  expect(said.err).toContain('of 500.00 rub with its bonus of 50.00 rub, less the fee of 10.00 rub')
  expect(said.err).toContain('40.00 rub is available and 500.00 rub has been spent')
  expect(await balanceOf(t, user)).toBe('40.00')
})

test('a refund by a key is made once, also of ten at once; the key is for nothing else', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const [one, other] = [await paid(t, gateway, user), await paid(t, gateway, user)]
  const refund = (payment: string, ...more: string[]) => typed(t.database, 'payment:refund', payment, ...more, ...WHY)
  const said = await Promise.all(
    Array.from({ length: 10 }, () => refund(one, '--amount', '100', '--key', 'ticket-7', '--json')),
  )
  expect(said.map(({ code }) => code)).toEqual(said.map(() => 0))
  const told = said.map(({ out }) => JSON.parse(out) as { changed: boolean; detail: { reversal: number } })
  expect(told.filter(({ changed }) => changed)).toHaveLength(1)
  expect(new Set(told.map(({ detail }) => detail.reversal)).size).toBe(1)
  expect(await balanceOf(t, user)).toBe('900.00')
  for (const typedElse of [[one, '--amount', '200'], [one], [other, '--amount', '100']] as [string, ...string[]][]) {
    expect(await refund(...typedElse, '--key', 'ticket-7')).toMatchObject({
      code: 1,
      err: expect.stringContaining('was used to pay back 100.00'),
    })
  }
  expect(await refund(other, '--key', 'rest')).toMatchObject({ code: 0 })
  expect(await refund(other, '--key', 'rest')).toMatchObject({ code: 0, out: expect.stringContaining('500.00') })
  gateway.onRefund = async () => ({ outcome: 'refused', reason: 'closed' })
  await t.runJobs()
  expect(await refund(one, '--amount', '100', '--key', 'ticket-7')).toMatchObject({
    code: 0,
    out: expect.stringContaining('failed'),
  })
  expect(await balanceOf(t, user)).toBe('1000.00')
  expect(await refund(one, '--key', 'with a space')).toMatchObject({ code: 2 })
  expect(await refund(one, '--amount', '0.001')).toMatchObject({ code: 2 })
  await expectRightBooks(t)
})

test('the same refund without a key is refused within half an hour and names the earlier one, unless --again', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const transaction = await paid(t, gateway, user)
  const refund = (...more: string[]) => typed(t.database, 'payment:refund', transaction, ...more, ...WHY)
  const said = await Promise.all(Array.from({ length: 4 }, () => refund('--amount', '100')))
  expect(said.map(({ code }) => code).toSorted()).toEqual([0, 1, 1, 1])
  const refused = said.find(({ code }) => code === 1)
  expect(refused?.err).toMatch(/100\.00 rub of payment \d+ was paid back at .*Z \(refund \d+, asked\).*--again/)
  expect(await balanceOf(t, user)).toBe('400.00')
  expect(await refund('--amount', '100', '--again')).toMatchObject({ code: 0 })
  expect(await refund('--amount', '50')).toMatchObject({ code: 0 })
  await t.ctx.db.query({ text: `UPDATE reversals SET at = at - interval '31 minutes'` })
  expect(await refund('--amount', '100')).toMatchObject({ code: 0 })
  expect(await balanceOf(t, user)).toBe('150.00')
  await expectRightBooks(t)
})
