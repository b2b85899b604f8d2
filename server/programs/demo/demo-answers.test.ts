import { expect, test } from 'vitest'
import { unknownWords } from '#contract/staff/answer-words.ts'
import { makeStaff } from '#test/builders/staff.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { demoAnswers } from './demo-answers.ts'
import { insertDemoAnswers } from './queries.ts'

test('staff of the demo have answers in both languages; what they change or remove stays so at the next start', async () => {
  await using t = await startTestApp()
  const operator = await makeStaff(t, 'operator')
  const start = () => insertDemoAnswers(t.ctx.db, { answers: demoAnswers, userId: operator.id, now: t.clock.now() })
  const list = async () => (await call(t, 'GET /api/v1/staff/answers', {}, operator)).data
  await start()
  const made = await list()
  expect(made).toHaveLength(4)
  for (const { ru, en } of made) expect([...unknownWords(ru), ...unknownWords(en)]).toEqual([])
  await call(t, 'DELETE /api/v1/staff/answers/{id}', { id: made[0]?.id ?? 0 }, operator)
  await start()
  expect(await list()).toEqual(made.slice(1))
})
