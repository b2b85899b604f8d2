import { expect, test } from 'vitest'
import { readConfig } from '#server/house/config/config.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

const RANKS = {
  rub: [
    { top_up: '1000.00', percent: 4 },
    { top_up: '4000.00', percent: 5.5 },
  ],
}

test('programmes are those of the settings', async () => {
  await using none = await startTestApp({ environment: { REFERRAL_PERCENT: '0', LOYALTY: 'off' } })
  expect(await call(none, 'GET /api/v1/programmes', {})).toEqual({
    status: true,
    loyalty: null,
    referral: null,
    contacts: { email: 'support@ringpost.example', telegram: null },
  })
  const environment = {
    LOYALTY: 'month',
    LOYALTY_TIME_ZONE: 'Asia/Almaty',
    LOYALTY_RANKS: JSON.stringify(RANKS),
    REFERRAL_PERCENT: '10',
    CONTACT_TELEGRAM: 'ringpost',
  }
  await using set = await startTestApp({ environment })
  expect(await call(set, 'GET /api/v1/programmes', {})).toMatchObject({
    loyalty: {
      period: 'month',
      time_zone: 'Asia/Almaty',
      currency: 'rub',
      ranks: [
        { top_up: '1000.00', percent: '4' },
        { top_up: '4000.00', percent: '5.5' },
      ],
    },
    referral: { percent: 10, of: 'spend', days: 7, pending_days: 14, months: 12 },
    contacts: { telegram: 'ringpost' },
  })
})

const usd = (...ranks: [string, number][]) =>
  JSON.stringify({ usd: ranks.map(([top_up, percent]) => ({ top_up, percent })) })

test.each([
  ['nonsense', 'is not JSON'],
  ['{"currency":"eur","ranks":[]}', 'Unrecognized keys'],
  ['{}', 'names rub or usd'],
  ['{"rub":[]}', 'Too small'],
  [usd(['-1', 4]), 'is an amount'],
  [usd(['1e12', 4]), 'is an amount'],
  [usd(['10', 0]), 'Too small'],
  [usd(['10', 101]), 'Too big'],
  [usd(['10', 4.005]), 'two decimals at most'],
  [usd(['10', 5], ['10', 6]), 'each rank must ask for more'],
  [usd(['10', 5], ['20', 5]), 'and give more'],
])('ranks that make no sense are named at start: %s', (LOYALTY_RANKS, why) => {
  expect(() => readConfig({ DEMO: '1', LOYALTY: 'week', LOYALTY_RANKS })).toThrow(
    new RegExp(`LOYALTY_RANKS .*${why}`, 's'),
  )
})

test.each([
  [{ LOYALTY: 'day' }, 'LOYALTY must be one of week, month, off'],
  [{ LOYALTY: 'week', LOYALTY_TIME_ZONE: 'Moscow' }, 'LOYALTY_TIME_ZONE must be the name of a time zone'],
  [{ LOYALTY: 'week', LOYALTY_TIME_ZONE: '+03:00' }, 'LOYALTY_TIME_ZONE must be the name of a time zone'],
  [{ DEMO: '0', LOYALTY_RANKS: usd(['10', 5]) }, 'LOYALTY_RANKS has no period'],
])('a period that makes no sense is named at start: %j', (environment, why) => {
  expect(() => readConfig({ DEMO: '1', ...environment })).toThrow(why)
})
