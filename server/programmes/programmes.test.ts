import { expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

const LOYALTY = {
  currency: 'rub',
  ranks: [
    { top_up: '1000.00', percent: 4 },
    { top_up: '4000.00', percent: 5.5 },
  ],
}

// Checklist 1.12, and a surprise of the walk (`support@ringpost.example`): what is not set does not exist, and is not promised.
test('programmes are those of the settings', async () => {
  await using none = await startTestApp({ environment: { REFERRAL_PERCENT: '0' } })
  expect(await call(none, 'GET /api/v1/programmes', {})).toEqual({
    status: true,
    loyalty: null,
    referral: null,
    contacts: { email: 'support@ringpost.example', telegram: null },
  })
  const environment = { LOYALTY_RANKS: JSON.stringify(LOYALTY), REFERRAL_PERCENT: '10', CONTACT_TELEGRAM: 'ringpost' }
  await using set = await startTestApp({ environment })
  expect(await call(set, 'GET /api/v1/programmes', {})).toMatchObject({
    loyalty: LOYALTY,
    referral: { percent: 10, of: 'spend', days: 7, pending_days: 14, months: 12 },
    contacts: { telegram: 'ringpost' },
  })
})

test.each(['nonsense', '{"currency":"eur","ranks":[]}', '{"currency":"rub","ranks":[{"top_up":"-1","percent":4}]}'])(
  'ranks that make no sense are named at start: %s',
  (LOYALTY_RANKS) => {
    expect(() => readConfig({ DEMO: '1', LOYALTY_RANKS })).toThrow(/LOYALTY_RANKS/)
  },
)
