import { expect, test } from 'vitest'
import { listAlarms } from '#server/core/alarms/queries.ts'
import { watchService } from '#server/core/alarms/watch-service.ts'
import { sentMails } from '#test/builders/mails.ts'
import { payer } from '#test/builders/payments.ts'
import { figuresOf, invited, spend } from '#test/builders/referral.ts'
import { call } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'

const environment = {
  ALARM_MAIL: 'night@example.test',
  REFERRAL_PERCENT: '100',
  REFERRAL_PENDING_DAYS: '0',
  REFERRAL_LEAST_RUB: '10',
  REFERRAL_NETWORKS: JSON.stringify([{ code: 'play', names: { ru: 'Игра', en: 'Play' }, pattern: '[a-z]{16}' }]),
}
const PAYOUT = { to: 'address', network: 'play', address: 'playaddressplaya' } as const

async function told(t: TestApp): Promise<string[]> {
  await watchService(t.ctx)
  return (await sentMails(t)).map(({ mail }) =>
    mail.kind === 'alarm' ? `${mail.alarm} ${mail.about}${mail.over ? ' over' : ''}` : mail.kind,
  )
}

test('staff are told that withdrawals or suspected invitations wait, once, and that none waits any more', async () => {
  await using t = await startTestApp({ environment })
  const fake = await t.addFake()
  const [referrer, other] = [await payer(t), await payer(t)]
  const friend = await invited(t, referrer)
  await spend(t, fake, friend)
  await figuresOf(t, referrer)
  expect(await told(t)).toEqual([])

  const { token } = await beginTestSession(t.ctx, referrer.id)
  const { data } = await call(t, 'POST /api/v1/referral/withdrawals', { amount: '10.00', ...PAYOUT }, { token })
  await told(t)
  expect(await told(t)).toEqual(['referral-withdrawals 1'])
  await typed(t.database, 'referral:approve', String(data.id), ...WHY)
  expect(await told(t)).toEqual(['referral-withdrawals 1'])
  await typed(t.database, 'referral:paid', String(data.id), '--tx', 'tx-1', ...WHY)
  expect(await told(t)).toEqual(['referral-withdrawals 1', 'referral-withdrawals  over'])

  const suspect = async () => {
    const self = await invited(t, other)
    await t.ctx.db.query({
      text: 'UPDATE sessions SET device_hash = $1 WHERE user_id = ANY ($2)',
      values: [Buffer.alloc(32, 7), [other.id, self.id]],
    })
    await spend(t, fake, self)
    await figuresOf(t, other)
    return self
  }
  const first = await suspect()
  expect((await told(t)).slice(2)).toEqual(['referral-suspects 1'])
  const second = await suspect()
  expect((await told(t)).slice(2)).toEqual(['referral-suspects 1'])
  expect(await listAlarms(t.ctx.db)).toMatchObject([{ name: 'referral-suspects', about: '2' }])
  for (const { id } of [first, second]) await typed(t.database, 'referral:clear', String(id), ...WHY)
  expect((await told(t)).slice(2)).toEqual(['referral-suspects 1', 'referral-suspects  over'])
})
