import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { buyOne } from '#test/builders/activation-rows.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { Background } from './background.ts'

// Regression test for R-A: the database was lost before the buyer's other tabs were notified of a new number. A promise
// that nobody awaited then ended the process.
test('the database is lost just after a number was replaced: the purchase goes on, and the loss is logged', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser()
  const old = await buyOne(t, buyer)
  t.clock.advance(2 * MINUTE)
  const query = t.ctx.db.query.bind(t.ctx.db)
  const lost = new Error('Connection terminated unexpectedly')
  t.ctx.db.query = (asked) => (asked.name === 'activation-find-any' ? Promise.reject(lost) : query(asked))
  const logged = t.log.next('work in the background failed')
  const { data } = await call(t, 'POST /api/v1/activations/{id}/replace', { id: old.id }, { token: buyer.token })
  await logged
  expect(data.state).toBe('waiting')
  expect(t.log.lines.filter(({ level }) => level === 'warn')).toEqual([
    { level: 'warn', fields: { error: lost, work: 'announce' }, sentence: 'work in the background failed' },
  ])
})

test('whoever stops waits for what is under way, and for what that began', async () => {
  await using t = await startTestApp()
  const background = new Background(t.log)
  const gate = Promise.withResolvers<void>()
  const done: string[] = []
  background.run('first', async () => {
    await gate.promise
    done.push('first')
    background.run('second', async () => done.push('second'))
  })
  const idle = background.idle().then(() => done.push('idle'))
  gate.resolve()
  await idle
  expect(done).toEqual(['first', 'second', 'idle'])
})
