import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { rollUp } from '#server/core/numbers/statistics/roll-up.ts'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { measureBusiness } from './measure-business.ts'

async function scrape(t: TestApp, measure: () => Promise<void>): Promise<string[]> {
  t.clock.advance(30 * SECOND)
  await measure()
  const text = await t.ctx.metrics.registry.metrics()
  return text.split('\n').filter((line) => /^(?:# \w+ )?ringpost_/u.test(line))
}

test('OP-12: sales, money held and owed, top-ups, stock, queues, the share of codes and the time to one are measured', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  await buyOne(t, buyer)
  const measure = await measureBusiness(t.ctx)
  const before = await scrape(t, measure)
  expect(before).toContain('ringpost_sms_total{result="matched"} 0')
  expect(before).toContain('ringpost_money_moved_total{kind="capture",currency="rub"} 0')
  expect(before).toContain('ringpost_waiting_activations 1')

  const bought = await buyOne(t, buyer)
  t.clock.advance(12 * SECOND)
  await pushSms(t, supplier, { phone: bought.phone ?? '' })
  await call(t, 'POST /api/v1/activations/{id}/finish', { id: bought.id }, { token: buyer.token })
  await typed(t.database, 'user:credit', buyer.email, '5', '--key', 'gift', ...WHY)
  const refund = await typed(t.database, 'order:refund', String(bought.id), ...WHY)
  expect(refund).toMatchObject({ code: 0 })
  t.clock.advance(Date.now() - t.clock.now().getTime() + MINUTE)
  await rollUp(t.ctx)
  const lines = await scrape(t, measure)
  const price = '13'
  for (const line of [
    `ringpost_money_moved_total{kind="capture",currency="rub"} ${price}`,
    'ringpost_money_moves_total{kind="capture",currency="rub"} 1',
    `ringpost_money_moved_total{kind="refund",currency="rub"} ${price}`,
    'ringpost_money_moved_total{kind="credit",currency="rub"} 5',
    'ringpost_accounts_money{state="available",currency="rub"} 92',
    `ringpost_accounts_money{state="held",currency="rub"} ${price}`,
    'ringpost_outcomes_total{supplier="fake",result="code"} 1',
    'ringpost_outcomes_total{supplier="fake",result="no_code"} 0',
    'ringpost_first_code_seconds_count 1',
    'ringpost_first_code_seconds_sum 12',
  ]) {
    expect(lines).toContain(line)
  }
  expect(lines.find((line) => line.startsWith('ringpost_jobs{task="end-number"}'))).toMatch(/ [1-9]\d*$/u)
  expect(await scrape(t, measure)).toContain(`ringpost_money_moved_total{kind="capture",currency="rub"} ${price}`)
  await typed(t.database, 'order:refund', String(bought.id), ...WHY)
  expect(await scrape(t, measure)).toContain('ringpost_money_moves_total{kind="refund",currency="rub"} 1')
})

test('a letter that no server takes is counted while it waits to be tried again', async () => {
  await using t = await startTestApp()
  const measure = await measureBusiness(t.ctx)
  await t.ctx.db.query({
    text: `WITH job AS (SELECT graphile_worker.add_job('send-mail', '{}'::json, run_at := now() + interval '1 hour') AS made)
      SELECT made FROM job`,
  })
  const lines = async () =>
    (await scrape(t, measure)).filter((line) => /^ringpost_jobs(?:_oldest_seconds)?\{task="send-mail"/u.test(line))
  expect(await lines()).toEqual([
    'ringpost_jobs{task="send-mail"} 0',
    'ringpost_jobs_oldest_seconds{task="send-mail"} 0',
  ])
  await t.ctx.db.query({
    text: `UPDATE graphile_worker._private_jobs SET attempts = 4, created_at = now() - interval '20 minutes'`,
  })
  const [count, oldest] = await lines()
  expect(count).toBe('ringpost_jobs{task="send-mail"} 1')
  expect(Number(oldest?.split(' ').at(-1))).toBeGreaterThanOrEqual(1_200)
})

test('two scrapers that come at once count a sale once', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const measure = await measureBusiness(t.ctx)
  const { phone } = await buyOne(t, await t.makeUser({ balance: '100.00' }))
  await pushSms(t, supplier, { phone })
  const both = () => Promise.all([measure(), measure()]).then(() => undefined)
  expect(await scrape(t, both)).toContain('ringpost_money_moves_total{kind="capture",currency="rub"} 1')
})

const promtool = requireProgram('promtool')
test.skipIf(promtool === undefined)('OP-12: the names of all metrics are as Prometheus wants them', async () => {
  await using t = await startTestApp()
  const input = `${(await scrape(t, await measureBusiness(t.ctx))).join('\n')}\n`
  const { status, stderr } = spawnSync(promtool ?? '', ['check', 'metrics'], { input, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})

test('OP-12: while the database does not answer, gauges are absent rather than old', async () => {
  await using t = await startTestApp()
  const measure = await measureBusiness(t.ctx)
  expect(await scrape(t, measure)).toContain('ringpost_waiting_activations 0')
  await t.ctx.db.query({ text: 'ALTER TABLE activations RENAME TO gone' })
  const lines = await scrape(t, measure)
  expect(lines.filter((line) => /^ringpost_(?:waiting_activations|accounts_money|jobs)/u.test(line))).toEqual([])
})
