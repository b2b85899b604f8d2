import { expect, test } from 'vitest'
import { followChanges } from '#server/follow-changes.ts'
import { call, refused } from '#test/calls.ts'
import { startTestApp } from '#test/harness.ts'
import { listen } from '#test/live-listener.ts'
import { typed, WHY } from '#test/typed.ts'

const BUY = 'POST /api/v1/activations'
const TELEGRAM = { service_id: 'tg', country_id: 2 }

test('a running server follows what the command line changes', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00', email: 'anna@example.test' })
  const { token } = buyer
  // What the server does each second.
  const look = followChanges(t.ctx)
  await look()
  const change = async (...argv: string[]) => {
    expect(await typed(t.database, ...argv, ...WHY)).toMatchObject({ code: 0, err: '' })
    await look()
  }

  await change('price:set', '--service', 'tg', '--price', '42', '--currency', 'rub')
  expect((await call(t, BUY, TELEGRAM, { token })).data.price).toBe('42.00')

  await change('buying:stop')
  expect(await refused(t, BUY, TELEGRAM, { token })).toMatchObject({ body: { code: 'BUYING_STOPPED' } })
  await change('buying:start')

  await change('supplier:pause', 'fake')
  expect(await refused(t, BUY, TELEGRAM, { token })).toMatchObject({ body: { code: 'NO_NUMBERS' } })
  await change('supplier:resume', 'fake')

  await change('user:credit', 'anna@example.test', '-50', '--key', 'fine')
  expect(await call(t, 'GET /api/user', {}, { token })).toMatchObject({ balance: '8.00', held: '42.00' })

  using live = await listen(t, buyer)
  await change('user:block', 'anna@example.test')
  expect((await live.closed).code).toBe(4009)
  expect(await refused(t, BUY, TELEGRAM, { token })).toMatchObject({ body: { code: 'UNAUTHENTICATED' } })
})
