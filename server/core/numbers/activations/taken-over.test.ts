import { expect, test } from 'vitest'
import { settleOrphans } from '#server/core/numbers/purchase/activation-orphans.ts'
import { takeOverOrphans } from '#server/core/numbers/purchase/take-over-orphans.ts'
import { reservingOf } from '#server/core/numbers/sourcing/under-way.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import { endNode, insertNode } from '#server/house/nodes/queries.ts'
import { expectBooksRight, leaveOrphan, moneyOf, stateOf, statesOf } from '#test/builders/activation-rows.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { buyActivation } from '../purchase/buy.ts'
import { failReservation, settleBought } from './queries/purchase.ts'
import { findAnyActivation } from './queries/read.ts'

async function twoNodes({ ctx }: TestApp): Promise<[bigint, bigint]> {
  const of = (host: string) => insertNode(ctx.db, { host, pid: 1, version: '0.1.0', commit: null })
  return [await of('a'), await of('b')]
}

const wanted = { currency: 'rub', serviceCode: 'tg', countryId: 2, operator: null, channel: 'site' } as const

test('a node that was paused settles nothing of what another node has taken over', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const [paused, other] = await twoNodes(t)
  nodeOf(t.ctx).id = paused
  const id = await leaveOrphan(t, buyer, supplier.id)
  const reserved = await findAnyActivation(t.ctx.db, BigInt(id))
  if (reserved === null) throw new Error('nothing was reserved')
  nodeOf(t.ctx).id = other
  // The other node lives, so its purchase is its own.
  await takeOverOrphans(t.ctx)
  expect(await settleOrphans(t.ctx)).toBe(0)
  await endNode(t.ctx.db, paused)
  await takeOverOrphans(t.ctx)
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

test.each(['sells', 'fails'] as const)(
  'an order that another node has taken over is under way until that node %s it',
  async (end) => {
    await using t = await startTestApp()
    const supplier = await t.addFake()
    const buyer = await t.makeUser({ balance: '100.00' })
    const [paused, other] = await twoNodes(t)
    nodeOf(t.ctx).id = paused
    const { onFind } = supplier
    supplier.onFind = async () => {
      throw new Error('503 Service Unavailable')
    }
    supplier.onBuy = async (order) => {
      await endNode(t.ctx.db, paused)
      nodeOf(t.ctx).id = other
      reservingOf(t.ctx).clear()
      await takeOverOrphans(t.ctx)
      expect(await settleOrphans(t.ctx)).toBe(0)
      nodeOf(t.ctx).id = paused
      return end === 'sells' ? supplier.sell(order) : { outcome: 'refused', reason: 'no-numbers' }
    }
    await expect(buyActivation(t.ctx, { ...wanted, userId: buyer.id })).rejects.toThrow('IN_PROGRESS')
    expect(await moneyOf(t, buyer)).toEqual({ balance: '87.00', held: '13.00' })

    nodeOf(t.ctx).id = other
    supplier.onFind = onFind
    expect(await settleOrphans(t.ctx)).toBe(1)
    expect(await statesOf(t)).toEqual([end === 'sells' ? 'waiting held -' : 'failed released -'])
    expect(await moneyOf(t, buyer)).toEqual(
      end === 'sells' ? { balance: '87.00', held: '13.00' } : { balance: '100.00', held: '0.00' },
    )
    await t.runJobs()
    expect(supplier.ended).toEqual([])
    await expectBooksRight(t.ctx)
  },
)

test('a buyer whose order another node has failed is told that there are no numbers', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const [paused, other] = await twoNodes(t)
  nodeOf(t.ctx).id = paused
  supplier.onBuy = async () => {
    await endNode(t.ctx.db, paused)
    nodeOf(t.ctx).id = other
    reservingOf(t.ctx).clear()
    await takeOverOrphans(t.ctx)
    expect(await settleOrphans(t.ctx)).toBe(1)
    nodeOf(t.ctx).id = paused
    // The supplier has answered `none`, so it refuses a purchase with the same reference.
    return { outcome: 'refused', reason: 'rejected' }
  }
  await expect(buyActivation(t.ctx, { ...wanted, userId: buyer.id })).rejects.toThrow('NO_NUMBERS')
  expect(await moneyOf(t, buyer)).toEqual({ balance: '100.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})
