import { expect, test } from 'vitest'
import { SECOND } from '#contract/time.ts'
import { buyingOf } from '#server/core/numbers/sourcing/buying-stopped.ts'
import type { Query } from '#server/house/db/pool.ts'
import { preparePeriodicTasks } from '#server/house/jobs/periodic-tasks.ts'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { followChanges } from './follow-changes.ts'
import { followMoney } from './follow-money.ts'
import { looksOf } from './start-loops.ts'

test('a second at rest costs one statement for all loops, and yet a number ends in its second and a command is followed', async () => {
  await using t = await startTestApp()
  const { ctx, clock } = t
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00', email: 'anna@example.test' })
  const states = async () =>
    (await ctx.db.query<{ state: string }>({ text: 'SELECT state FROM activations ORDER BY id' })).rows.map(
      ({ state }) => state,
    )
  await buyOne(t, buyer)
  const { phone } = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone })
  const { rows } = await ctx.db.query<{ expires_at: Date }>({
    text: 'SELECT max(expires_at) AS expires_at FROM activations',
  })
  const endsAt = rows[0]?.expires_at.getTime() ?? 0

  const asked: (string | undefined)[] = []
  const query = ctx.db.query.bind(ctx.db)
  ctx.db.query = <Row>(given: Query) => {
    asked.push(given.name)
    return query<Row>(given)
  }
  const { look, idle } = preparePeriodicTasks(
    ctx,
    looksOf(ctx, { changes: await followChanges(ctx), money: await followMoney(ctx) }),
  )
  const second = async () => {
    clock.advance(SECOND)
    asked.length = 0
    await look()
    await idle()
    return [...asked]
  }
  for (let passed = 0; passed < 30; passed += 1) expect(await second()).toEqual(['looks'])

  clock.advance(endsAt - clock.now().getTime() - 2 * SECOND)
  await second()
  expect(await states()).toEqual(['waiting', 'received'])
  await second()
  expect(await states()).toEqual(['expired', 'finished'])

  expect(buyingOf(ctx).stopped).toBe(false)
  await typed(t.database, 'buying:stop', ...WHY)
  await second()
  expect(buyingOf(ctx).stopped).toBe(true)
})
