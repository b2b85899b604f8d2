import { expect, test } from 'vitest'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

test.each(['ru', 'en'] as const)('O-12: the privacy policy states the periods of the clean-up (%s)', async (locale) => {
  await using t = await startTestApp({
    environment: {
      MESSAGE_KEEP_DAYS: '17',
      SESSION_DAYS: '63',
      SESSION_KEEP_DAYS: '41',
      GATEWAY_EVENT_KEEP_DAYS: '777',
      RECEIPT_KEEP_DAYS: '1234',
    },
  })
  const { data } = await call(t, 'GET /api/v1/content/documents/{name}', { name: 'privacy-policy' }, { locale })
  for (const days of ['17', '63', '41', '777', '1234', '14', '7', '90', '180']) {
    expect(data.html).toMatch(new RegExp(`(?<!\\d)${days}(?!\\d) (?:days|дней)`))
  }
})
