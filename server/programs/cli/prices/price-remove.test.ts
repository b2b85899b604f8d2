import { expect, test } from 'vitest'
import { DAY } from '#contract/time.ts'
import { followChanges } from '#server/programs/boot/follow-changes.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { auditOf, typed, WHY } from '#test/harness/typed.ts'

test('without its rule a price follows the wider one, in the running server as well, and then cost and 30 %', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const { token } = await t.makeUser({ balance: '1000.00' })
  const look = await followChanges(t.ctx)
  const type = (...argv: string[]) => typed(t.database, ...argv, ...WHY)
  const price = async () => {
    await look()
    const wanted = { service_id: 'tg', country_id: 2 }
    return (await call(t, 'POST /api/v1/activations', wanted, { token })).data.price
  }
  await type('price:set', '--margin', '50')
  await type('price:set', '--service', 'tg', '--country', '2', '--price', '42', '--currency', 'rub', '--yes')
  expect(await price()).toBe('42.00')

  const remove = () => type('price:remove', '--service', 'tg', '--country', '2', '--yes')
  expect(await remove()).toEqual({
    code: 0,
    out: 'Telegram in Kazakhstan: no price rule any more (was 42.00 rub).\n',
    err: '',
  })
  expect(await price()).toBe('15.00')
  expect(await remove()).toEqual({
    code: 1,
    out: '',
    err: 'Telegram in Kazakhstan: there is no price rule for exactly this\n',
  })
  expect(await type('price:remove')).toMatchObject({ code: 0, out: expect.stringContaining('(was cost and 50 %)') })
  expect(await price()).toBe('13.00')
  expect(await type('price:remove', '--service', 'zzz')).toMatchObject({ code: 1, err: 'There is no service zzz\n' })
  expect((await auditOf(t.ctx.db)).slice(2)).toMatchObject([
    { command: 'price:remove', subject: 'price:tg/2', detail: { before: '42.00 rub', after: null } },
    { command: 'price:remove', subject: 'price:*/*', detail: { before: 'cost and 50 %', after: null } },
  ])
})

test('price:remove --below-cost ends the sale below cost alone: what held before it holds again', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const type = (...argv: string[]) => typed(t.database, ...argv, ...WHY)
  const pair = ['--service', 'tg', '--country', '2', '--yes']
  await type('price:set', ...pair, '--price', '42', '--currency', 'rub')
  const until = new Date(Date.now() + 30 * DAY).toISOString()
  const limits = ['--until', until, '--below-cost', '--sale-loss-limit', '9', '--loss-limit', '100']
  expect(await type('price:set', ...pair, '--price', '5', '--currency', 'rub', ...limits)).toMatchObject({ code: 0 })
  expect(await type('price:remove', ...pair, '--below-cost')).toMatchObject({
    code: 0,
    out: expect.stringContaining('Telegram in Kazakhstan: the others hold (was 5.00 rub, below cost'),
  })
  expect((await typed(t.database, 'price:list')).out).toMatch(/^\d+ tg\/2 42.00 rub$/m)
  expect(await type('price:remove', ...pair, '--below-cost')).toMatchObject({
    code: 1,
    err: 'Telegram in Kazakhstan: there is no price rule below cost for exactly this\n',
  })
})
