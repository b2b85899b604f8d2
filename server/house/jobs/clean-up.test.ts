import { expect, test } from 'vitest'
import { DAY } from '#contract/time.ts'
import { pushSms } from '#test/builders/activation-rows.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { cleanUp } from './clean-up.ts'

test('a step that fails is logged by its name, and texts are forgotten all the same', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  await pushSms(t, supplier, { phone: '79990000001', sender: '900', text: 'Your code is 4821' })
  t.clock.advance((t.ctx.config.messageKeepDays + 1) * DAY)
  await t.ctx.db.query({ text: 'ALTER TABLE refresh_tokens RENAME TO refresh_tokens_away' })
  await cleanUp(t.ctx)
  const { rows } = await t.ctx.db.query({ text: 'SELECT body, code FROM messages' })
  expect(rows).toEqual([{ body: null, code: null }])
  const failed = t.log.lines.filter(({ sentence }) => sentence === 'a step of the clean-up failed')
  expect(failed.map(({ fields }) => fields)).toMatchObject([{ step: 'refresh_tokens' }, { step: 'sessions' }])
})

test('jobs that tell somebody and were tried in vain are deleted with a warning; others stay', async () => {
  await using t = await startTestApp()
  const tasks = [
    'tell-notification',
    'send-push',
    'telegram-code',
    'telegram-notification',
    'telegram-update',
    'end-number',
  ]
  for (const task of tasks) {
    await t.ctx.db.query({ text: `SELECT graphile_worker.add_job($1, '{}'::json, max_attempts := 1)`, values: [task] })
  }
  await t.ctx.db.query({ text: 'UPDATE graphile_worker._private_jobs SET attempts = 1' })
  await cleanUp(t.ctx)
  const { rows } = await t.ctx.db.query({ text: 'SELECT task_identifier FROM graphile_worker.jobs' })
  expect(rows).toEqual([{ task_identifier: 'end-number' }])
  const warned = t.log.lines.filter(({ level }) => level === 'warn')
  expect(warned.map(({ fields }) => fields)).toMatchObject([{ untold: 5 }])
})
