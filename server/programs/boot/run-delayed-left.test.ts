import { expect, test } from 'vitest'
import { notify } from '#server/core/notifications/notify.ts'
import { sentMails } from '#test/builders/mails.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { runDelayedLeft } from './run-delayed-left.ts'

test('after PostgreSQL’s clock was set back jobs run that would wait for as long as the step; others keep their time', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const details = { serviceCode: 'tg', countryId: 2, state: 'expired' } as const
  const told = { kind: 'preorder-ended', details, link: '/', dedupeKey: 'p' } as const
  await notify(t.ctx.db, { ...told, userId: user.id }, t.clock.now())
  await t.runJobs()
  const { rows: queued } = await t.ctx.db.query<{ id: string }>({
    text: `SELECT id::text FROM graphile_worker.jobs WHERE task_identifier = 'mail-notification'`,
  })
  expect(queued).toHaveLength(1)
  const add = (task: string, inMinutes: number, attempts = 0) =>
    t.ctx.db.query({
      text: `WITH added AS (SELECT * FROM graphile_worker.add_job($task, '{}', run_at := now() + $inMinutes * interval '1 minute'))
        SELECT graphile_worker.reschedule_jobs(ARRAY[id], attempts := $attempts) FROM added`,
      values: { task, inMinutes, attempts },
    })
  await runDelayedLeft(t.ctx)
  await add('end-number', 30)
  await add('refund-payment', 30, 4)
  await add('abandon-attempt', 120, 9)
  await add('telegram-notification', 60)
  await add('telegram-code', 60)
  const due = async () => {
    const { rows } = await t.ctx.db.query<{ task_identifier: string }>({
      text: 'SELECT task_identifier FROM graphile_worker.jobs WHERE run_at <= now() ORDER BY 1',
    })
    return rows.map((row) => row.task_identifier)
  }
  expect(await due()).toEqual([])
  await runDelayedLeft(t.ctx)
  expect(await due()).toEqual(['end-number', 'refund-payment', 'telegram-code'])
  await t.ctx.db.query({
    text: `UPDATE graphile_worker._private_jobs SET run_at = run_at + interval '2 hours' WHERE id = $1::bigint`,
    values: [queued[0]?.id],
  })
  const before = (await sentMails(t)).length
  await runDelayedLeft(t.ctx)
  expect(await due()).toContain('mail-notification')
  await t.runJobs()
  expect((await sentMails(t)).slice(before).map(({ mail }) => mail.kind)).toEqual(['notification'])
})
