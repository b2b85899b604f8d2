import { expect, test } from 'vitest'
import { loadCatalog } from '#server/core/catalog/offers/load-catalog.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { followChanges } from '#server/programs/boot/follow-changes.ts'
import { startSuppliers } from '#server/programs/boot/start-suppliers.ts'
import { call, refused } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { typed, WHY } from '#test/harness/typed.ts'

const BUY = 'POST /api/v1/activations'
const TELEGRAM = { service_id: 'tg', country_id: 2 }

test('a running server follows what the command line changes', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00', email: 'anna@example.test' })
  const { token } = buyer
  const look = await followChanges(t.ctx)
  await look()
  const change = async (...argv: string[]) => {
    expect(await typed(t.database, ...argv, ...WHY)).toMatchObject({ code: 0, err: '' })
    await look()
  }

  await change('price:set', '--service', 'tg', '--price', '42', '--currency', 'rub', '--yes')
  expect((await call(t, BUY, TELEGRAM, { token })).data.price).toBe('42.00')

  await change('buying:stop')
  expect(await refused(t, BUY, TELEGRAM, { token })).toMatchObject({ body: { code: 'BUYING_STOPPED' } })
  await change('buying:start')

  await change('supplier:pause', 'fake')
  expect(await refused(t, BUY, TELEGRAM, { token })).toMatchObject({ body: { code: 'NO_NUMBERS' } })
  await change('supplier:resume', 'fake')

  await change('user:credit', 'anna@example.test', '-50', '--key', 'fine')
  expect(await call(t, 'GET /api/user', {}, { token })).toMatchObject({ balance: '8.00', held: '42.00' })

  using before = await listen(t, buyer)
  await change('user:sign-out', 'anna@example.test')
  expect((await before.closed).code).toBe(4009)
  expect(await refused(t, BUY, TELEGRAM, { token })).toMatchObject({ body: { code: 'UNAUTHENTICATED' } })

  const again = await beginTestSession(t.ctx, buyer.id)
  using live = await listen(t, { ...buyer, ...again })
  const key = await t.makeApiKey(buyer)
  const program = { ...buyer, token: key }
  using bot = await listen(t, program)
  await change('user:block', 'anna@example.test')
  expect((await live.closed).code).toBe(4009)
  expect(await refused(t, BUY, TELEGRAM, { token })).toMatchObject({ body: { code: 'UNAUTHENTICATED' } })
  expect((await bot.closed).code).toBe(4009)
  await expect(listen(t, program)).rejects.toThrow()
  expect(await refused(t, 'GET /api/user', {}, { token: key })).toMatchObject({ body: { code: 'UNAUTHENTICATED' } })
})

test('what is typed after the start began to read, and before the first look, is followed too', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const { token } = await t.makeUser({ balance: '100.00' })
  const look = await followChanges(t.ctx)
  await typed(t.database, 'price:set', '--service', 'tg', '--price', '42', '--currency', 'rub', '--yes', ...WHY)
  await look()
  expect((await call(t, BUY, TELEGRAM, { token })).data.price).toBe('42.00')
})

test('a supplier that is paused when the server starts sells nothing, and is at work for what it has sold', async () => {
  await using t = await startTestApp()
  await t.ctx.db.query({
    text: `INSERT INTO suppliers (code, kind, settings, created_at) VALUES ('paused', 'simulator', '{}', $1)`,
    values: [t.clock.now()],
  })
  await typed(t.database, 'supplier:pause', 'paused', ...WHY)
  await loadCatalog(t.ctx)
  await startSuppliers(t.ctx)
  expect(
    suppliersOf(t.ctx)
      .all()
      .map(({ code }) => code),
  ).toEqual(['paused'])
  const { token } = await t.makeUser()
  expect(await refused(t, BUY, TELEGRAM, { token })).toMatchObject({ body: { code: 'NO_NUMBERS' } })
})
