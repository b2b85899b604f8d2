import { expect, test } from 'vitest'
import { HOUR } from '#contract/time.ts'
import { watchService } from '#server/core/alarms/watch-service.ts'
import { sentMails } from '#test/builders/mails.ts'
import { becomeInvoice as become, openBtcpayShop, settled } from '#test/builders/money/btcpay.ts'
import { setBitcoin } from '#test/builders/money/rates.ts'
import { begin, expectRightBooks } from '#test/builders/payments.ts'
import { openBtcpayHouse } from '#test/fakes/btcpay-house.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { typed } from '#test/harness/typed.ts'

const RATE = '62500.00'

async function alarms(t: TestApp): Promise<string[]> {
  await watchService(t.ctx)
  return (await sentMails(t)).map(({ mail }) =>
    mail.kind === 'alarm' ? `${mail.alarm}${mail.over ? ' over' : ''}` : '',
  )
}

test('coins that are gone wait for no rate: the alarm ends, begins again when they are back, and payment:list names them', async () => {
  await using t = await startTestApp({ environment: { ALARM_MAIL: 'night@example.test' } })
  await using house = await openBtcpayHouse(t.clock)
  house.rate = RATE
  const user = await openBtcpayShop(t, house)
  const seen = { house, user, order: (await begin(t, user, '20.00', 'coin-btc')).transaction_id }
  const idle = await begin(t, user, '20.00', 'coin-btc')
  const waiting = () => typed(t.database, 'payment:list', '--state', 'waiting', '--json')
  t.clock.advance(2 * HOUR)
  const there = { additional: 'PaidLate', payments: [settled('a', '0.00032')] }
  const gone = { payments: [settled('a', '0.00032', { status: 'Invalid' })] }
  expect(await become(t, seen, ['Expired', there])).toEqual(['confirming', '0.00'])
  expect(await alarms(t)).toEqual(['coin-rate'])
  const { out } = await waiting()
  expect(out).toContain(seen.order)
  expect(out).not.toContain(idle.transaction_id)
  expect(await become(t, seen, ['Expired', gone])).toEqual(['expired', '0.00'])
  expect(await alarms(t)).toEqual(['coin-rate', 'coin-rate over'])
  expect((await waiting()).out).not.toContain(seen.order)
  await setBitcoin(t, 100_000n)
  expect(await become(t, seen, ['Expired', gone])).toEqual(['expired', '0.00'])
  t.clock.advance(2 * HOUR)
  expect(await become(t, seen, ['Expired', there])).toEqual(['confirming', '0.00'])
  expect(await alarms(t)).toEqual(['coin-rate', 'coin-rate over', 'coin-rate'])
  await setBitcoin(t, 50_000n)
  expect(await become(t, seen, ['Expired', there])).toEqual(['partial', '16.00'])
  expect((await alarms(t)).at(-1)).toBe('coin-rate over')
  await expectRightBooks(t)
})

test('the alarm of coins without a rate names the coin, and why its rate is not fetched', async () => {
  await using t = await startTestApp({ environment: { ALARM_MAIL: 'night@example.test' } })
  await using house = await openBtcpayHouse(t.clock)
  house.rate = RATE
  const user = await openBtcpayShop(t, house)
  const seen = { house, user, order: (await begin(t, user, '20.00', 'coin-btc')).transaction_id }
  await t.ctx.db.query({
    text: `INSERT INTO rate_sources (currency, kind, url, pointer, every_minutes, next_at, last_success_at, last_failure_at, failing_since, last_failure)
      VALUES ('btc', 'json', 'https://rates.example/', '/usd', 60, $now, $now, $now::timestamptz + interval '1 hour', $now::timestamptz + interval '1 hour', 'HTTP 451')`,
    values: { now: t.clock.now() },
  })
  t.clock.advance(2 * HOUR)
  await become(t, seen, ['Expired', { additional: 'PaidLate', payments: [settled('a', '0.00032')] }])
  expect(await alarms(t)).toEqual(['coin-rate'])
  expect((await sentMails(t))[0]?.mail).toMatchObject({ why: 'btc: HTTP 451' })
})
