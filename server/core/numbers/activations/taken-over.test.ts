import { expect, test } from 'vitest'
import { settleOrphans } from '#server/core/numbers/purchase/activation-orphans.ts'
import { reservingOf } from '#server/core/numbers/sourcing/under-way.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import { endNode, insertNode } from '#server/house/nodes/queries.ts'
import { availableOf, expectBooksRight, leaveOrphan, stateOf } from '#test/builders/activation-rows.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { buyActivation } from '../purchase/buy.ts'
import { failReservation, settleBought } from './queries/purchase.ts'
import { findAnyActivation } from './queries/read.ts'

test('a node that was paused settles nothing of what another node has taken over', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const paused = await insertNode(t.ctx.db, { host: 'a', pid: 1, version: '0.1.0', commit: null })
  nodeOf(t.ctx).id = paused
  const id = await leaveOrphan(t, buyer, supplier.id)
  const reserved = await findAnyActivation(t.ctx.db, BigInt(id))
  if (reserved === null) throw new Error('nothing was reserved')
  nodeOf(t.ctx).id = await insertNode(t.ctx.db, { host: 'b', pid: 2, version: '0.1.0', commit: null })
  // The other node lives, so its purchase is its own.
  expect(await settleOrphans(t.ctx)).toBe(0)
  await endNode(t.ctx.db, paused)
  const { onFind } = supplier
  supplier.onFind = async () => {
    throw new Error('503 Service Unavailable')
  }
  expect(await settleOrphans(t.ctx)).toBe(0)

  const now = t.clock.now()
  const sold = { phone: '77051111111', operator: 'altel', supplierReference: 's', costMicros: 1n, family: 'tg' }
  const number = { ...sold, id: reserved.id, attempt: 1, sendersKnown: true, nodeId: paused, now }
  expect(await settleBought(t.ctx.db, number, reserved)).toBeNull()
  expect(await failReservation(t.ctx.db, { id: reserved.id, nodeId: paused, now, abandon: false })).toBeNull()
  expect(await stateOf(t, id)).toBe('reserving')

  supplier.onFind = onFind
  expect(await settleOrphans(t.ctx)).toBe(1)
  expect(await stateOf(t, id)).toBe('failed')
  await expectBooksRight(t.ctx)
})

test('a number that a node buys after another node has taken over its order is given back', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const paused = await insertNode(t.ctx.db, { host: 'a', pid: 1, version: '0.1.0', commit: null })
  nodeOf(t.ctx).id = paused
  supplier.onBuy = async (order) => {
    await endNode(t.ctx.db, paused)
    const id = BigInt(order.reference.split('-')[0] ?? '')
    nodeOf(t.ctx).id = await insertNode(t.ctx.db, { host: 'b', pid: 2, version: '0.1.0', commit: null })
    reservingOf(t.ctx).delete(id)
    expect(await settleOrphans(t.ctx)).toBe(1)
    nodeOf(t.ctx).id = paused
    return supplier.sell(order)
  }
  const wanted = { userId: buyer.id, currency: 'rub', serviceCode: 'tg', countryId: 2, operator: null } as const
  await expect(buyActivation(t.ctx, { ...wanted, channel: 'site' })).rejects.toThrow('NO_NUMBERS')
  expect(await availableOf(t)).toEqual([100_000_000n])
  await t.runJobs()
  expect(supplier.ended.map(({ number, ending }) => [number.phone, ending])).toEqual([
    [[...supplier.sold.values()][0]?.phone, 'unsold'],
  ])
  await expectBooksRight(t.ctx)
})
