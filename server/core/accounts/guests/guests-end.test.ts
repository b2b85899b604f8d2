import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { sweepDeletions } from '#server/core/privacy/deletion/sweep-deletions.ts'
import { count, expectBooksRight } from '#test/builders/activation-rows.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

test('a guest’s open ticket does not outlive the day: nobody could read its answer', async () => {
  await using t = await startTestApp()
  const { token, user } = await call(t, 'POST /api/guest', {})
  const wish = { category: 'other', subject: 'Is anybody here?', text: 'I look around' } as const
  await call(t, 'POST /api/v1/support/tickets', wish, { token })
  expect((await call(t, 'GET /api/v1/privacy', {}, { token })).deletion).toMatchObject({ waits_for: [] })
  t.clock.advance(DAY + MINUTE)
  await sweepDeletions(t.ctx)
  t.clock.advance(2 * HOUR)
  await sweepDeletions(t.ctx)
  expect(await count(t.ctx, 'users WHERE id = $1 AND erased_at IS NOT NULL', [user.id])).toBe(1)
  expect(await count(t.ctx, `account_deletions WHERE user_id = $1 AND state = 'erased'`, [user.id])).toBe(1)
  expect(await count(t.ctx, 'support_tickets')).toBe(0)
  expect(await count(t.ctx, 'support_messages')).toBe(0)
  await expectBooksRight(t.ctx)
})
