import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { buyOne, count, eventsOf, expectBooksRight, moneyOf } from '#test/builders/activation-rows.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { reportUnusable } from './report-unusable.ts'

test('a supplier that fails is told how it ended again, until it takes it, and then no more', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser()
  const { id } = await buyOne(t, buyer)
  t.clock.advance(2 * MINUTE)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id }, { token: buyer.token })
  const end = supplier.end.bind(supplier)
  let tries = 0
  supplier.end = async (...told) => {
    tries += 1
    if (tries < 3) throw new Error('503')
    return end(...told)
  }
  for (let round = 1; round <= 4; round += 1) {
    await t.ctx.db.query({ text: 'UPDATE graphile_worker._private_jobs SET run_at = now()' })
    await t.runJobs()
  }
  expect([tries, supplier.ended.length]).toEqual([3, 1])
  expect(await count(t.ctx, 'graphile_worker._private_jobs')).toBe(0)
})

test('a supplier that is not at work is told when it is back', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser()
  const { id } = await buyOne(t, buyer)
  t.clock.advance(2 * MINUTE)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id }, { token: buyer.token })
  await suppliersOf(t.ctx).remove(supplier.id)
  await t.runJobs()
  expect(await count(t.ctx, 'graphile_worker._private_jobs')).toBe(1)
  await suppliersOf(t.ctx).add(supplier)
  await t.ctx.db.query({ text: 'UPDATE graphile_worker._private_jobs SET run_at = now()' })
  await t.runJobs()
  expect(supplier.ended).toHaveLength(1)
})

test('a number that its supplier finds unusable is refunded at once, and never sold again for the service', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const { id, phone } = await buyOne(t, buyer)
  const other = await t.addFake('other', [])
  for (const reference of [`${id}-2`, `${id}`, '', 'x-1', `${'9'.repeat(30)}-1`, `${id}-1; DROP TABLE users`]) {
    await reportUnusable(t.ctx, { supplierId: supplier.id, reference })
  }
  await reportUnusable(t.ctx, { supplierId: other.id, reference: `${id}-1` })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '87.00', held: '13.00' })
  using live = await listen(t, buyer)
  await reportUnusable(t.ctx, { supplierId: supplier.id, reference: `${id}-1` })
  expect(await live.next('ActivationChanged')).toMatchObject({ record: { id, state: 'used' }, balance: '100.00' })
  await reportUnusable(t.ctx, { supplierId: supplier.id, reference: `${id}-1` })
  expect(await eventsOf(t.ctx, id)).toEqual(['activation.waiting', 'activation.used'])
  expect(await count(t.ctx, 'burnt_numbers WHERE phone = $1', [phone])).toBe(1)
  await expectBooksRight(t.ctx)
})
