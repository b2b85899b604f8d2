import { expect, test } from 'vitest'
import { watchService } from '#server/core/alarms/watch-service.ts'
import { sentMails } from '#test/builders/mails.ts'
import { reversal, tell } from '#test/builders/money/reversals.ts'
import { begin, expectRightBooks, look, payer } from '#test/builders/payments.ts'
import { addFakeGateway, arrived } from '#test/fakes/fake-gateway.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'

async function accountOf(t: TestApp, { id }: TestUser) {
  const { rows } = await t.ctx.db.query<{ available: bigint; debt: bigint }>({
    text: 'SELECT available_micros AS available, debt_micros AS debt FROM accounts WHERE user_id = $1',
    values: [id],
  })
  return rows[0] ?? { available: -1n, debt: -1n }
}

test('F-7: a reversal takes what its deposit credited, and leaves nobody in debt by a part of a cent', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const { transaction_id: transaction } = await begin(t, user, '500.00')
  const facts = arrived(['less', 2_002])
  facts.deposits = facts.deposits.map((deposit) => ({ ...deposit, amountMicros: 20_022_000n }))
  await tell(t, gateway, transaction, facts)
  expect((await accountOf(t, user)).available).toBe(20_020_000n)
  const dispute = { ...reversal('dispute', 'open', 2_002), amountMicros: 20_022_000n }
  await tell(t, gateway, transaction, { ...facts, reversals: [dispute] })
  expect(await accountOf(t, user)).toEqual({ available: 0n, debt: 0n })
  await expectRightBooks(t)
})

test.each([
  ['as two', 20_022_000n, ['one', 'other'], false],
  ['as a growing total', 20_022_000n, ['total', 'total'], true],
] as const)(
  'F-7: a payment that goes back in two parts told %s takes what it credited, and no part of a cent more',
  async (_, amountMicros, names, isTotal) => {
    await using t = await startTestApp()
    const gateway = await addFakeGateway(t)
    const user = await payer(t)
    const { transaction_id: transaction } = await begin(t, user, '20.00')
    const facts = { ...arrived(), deposits: [{ providerId: 'coins', amountMicros }] }
    const [first, second] = names.map((providerId, place) => ({
      ...({ kind: 'refund', state: 'done', providerId } as const),
      ...(isTotal ? ({ isTotal: true } as const) : {}),
      amountMicros: isTotal && place === 1 ? 20_022_000n : 10_011_000n,
    }))
    if (first === undefined || second === undefined) throw new Error('no parts')
    await tell(t, gateway, transaction, { ...facts, reversals: [first] })
    expect((await accountOf(t, user)).available).toBe(10_010_000n)
    const both = isTotal ? [second] : [first, second]
    for (let times = 0; times < 2; times += 1) await tell(t, gateway, transaction, { ...facts, reversals: both })
    expect(await accountOf(t, user)).toEqual({ available: 0n, debt: 0n })
    expect(await look(t, user, transaction)).toMatchObject({ state: 'refunded', credited: '0.00' })
    await expectRightBooks(t)
  },
)

test('F-8: money that comes for somebody who has left brings no bonus, and an alarm tells of it', async () => {
  await using t = await startTestApp({ environment: { ALARM_MAIL: 'night@example.test' } })
  const gateway = await addFakeGateway(t)
  Object.assign(gateway.system, { bonusPoints: 1000 })
  const user = await payer(t)
  const { transaction_id: transaction } = await begin(t, user, '500.00')
  const alarms = async () => {
    await watchService(t.ctx)
    return (await sentMails(t)).flatMap(({ mail }) => (mail.kind === 'alarm' ? `${mail.alarm} ${mail.about}` : []))
  }
  expect(await alarms()).toEqual([])
  await t.ctx.db.query({ text: `UPDATE payments SET state = 'expired'` })
  const erased = await typed(t.database, 'user:erase', user.email, '--now', ...WHY)
  expect(erased).toMatchObject({ code: 0, err: '' })
  await tell(t, gateway, transaction, arrived(['late', 50_000]))
  expect((await accountOf(t, user)).available).toBe(500_000_000n)
  expect(await alarms()).toEqual(['money-unowned 1'])
  await expectRightBooks(t)
})
