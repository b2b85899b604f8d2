import { expect, test } from 'vitest'
import { HOUR } from '#contract/time.ts'
import { settleRentalOrphans } from '#server/core/numbers/purchase/rental-orphans.ts'
import { takeOverOrphans } from '#server/core/numbers/purchase/take-over-orphans.ts'
import { rentingOf } from '#server/core/numbers/sourcing/under-way.ts'
import type { RentalExtension } from '#server/core/suppliers/supplier.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import { endNode, insertNode } from '#server/house/nodes/queries.ts'
import { expectBooksRight, moneyOf, pushSms } from '#test/builders/activation-rows.ts'
import { holdRental, meetAtRow } from '#test/builders/held-row.ts'
import { addRenting, later, readRental, rentOne, rentTransfersOf } from '#test/builders/rental-rows.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { expireRentals } from './queries/end.ts'

const EXTEND = 'POST /api/v1/rentals/{id}/extend'

test.each(['extension', 'message'] as const)(
  'when an extension and the first message meet at the row, the %s first, each is paid once',
  async (first) => {
    await using t = await startTestApp()
    const supplier = await addRenting(t)
    const buyer = await t.makeUser({ balance: '500.00' })
    const { id, phone } = await rentOne(t, buyer)
    const gate = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    supplier.rent.onExtend = async ({ maxCostMicros }) => {
      asked.resolve()
      await gate.promise
      return { outcome: 'extended', costMicros: maxCostMicros }
    }
    const extending = call(t, EXTEND, { id, period: 24 }, { token: buyer.token })
    await asked.promise
    const grant = () => {
      gate.resolve()
      return extending
    }
    const message = () => pushSms(t, supplier, { phone })
    const held = { connectionString: t.database.connectionString, id, hold: holdRental }
    const results = await meetAtRow<unknown, unknown>(held, first === 'extension' ? [grant, message] : [message, grant])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(await readRental(t, buyer, id)).toMatchObject({
      hours: 48,
      price: '260.00',
      money: 'captured',
      messages_count: 1,
    })
    expect((await rentTransfersOf(t.ctx, id)).sort()).toEqual([
      'extension capture',
      'extension hold',
      'rental capture',
      'rental hold',
    ])
    expect(await moneyOf(t, buyer)).toEqual({ balance: '240.00', held: '0.00' })
    await expectBooksRight(t.ctx)
  },
)

test('extensions of two rentals at once, with money for one, extend one; presses in a hurry pay for what they extend', async () => {
  await using t = await startTestApp()
  await addRenting(t)
  const buyer = await t.makeUser({ balance: '312.00' })
  const rentals = [await rentOne(t, buyer), await rentOne(t, buyer)]
  const press = (id: number) =>
    call(t, EXTEND, { id, period: 4 }, { token: buyer.token }).then(
      () => 'extended',
      () => 'refused',
    )
  const answers = await Promise.all(rentals.map(({ id }) => press(id)))
  expect(answers.toSorted()).toEqual(['extended', 'refused'])
  expect(await moneyOf(t, buyer)).toMatchObject({ balance: '0.00' })
  await expectBooksRight(t.ctx)

  const rich = await t.makeUser({ balance: '5000.00' })
  const { id } = await rentOne(t, rich)
  const hurried = await Promise.all(
    Array.from({ length: 10 }, () =>
      call(t, EXTEND, { id, period: 4 }, { token: rich.token }).then(
        () => 1,
        () => 0,
      ),
    ),
  )
  const extended = hurried.reduce<number>((sum, one) => sum + one, 0)
  expect(extended).toBeGreaterThan(0)
  expect((await readRental(t, rich, id)).hours).toBe(24 + 4 * extended)
  await expectBooksRight(t.ctx)
})

test('an extension and the end of the time that meet: whichever is first, the other sees it', async () => {
  await using t = await startTestApp()
  await addRenting(t)
  const buyer = await t.makeUser({ balance: '500.00' })
  const { id } = await rentOne(t, buyer, { period: 4 })
  await later(t, buyer, 4 * HOUR - 1)
  const commit = Promise.withResolvers<void>()
  const expired = Promise.withResolvers<void>()
  const expiring = transaction(t.ctx.db, async (tx) => {
    expect(
      await expireRentals(tx, { now: new Date(t.clock.now().getTime() + 1), limit: 10, play: false }),
    ).toHaveLength(1)
    expired.resolve()
    await commit.promise
  })
  await expired.promise
  // The second connection holds no lock; it only observes which statements wait.
  await using watch = await holdRental(t.database.connectionString, 0)
  const extending = refused(t, EXTEND, { id, period: 4 }, { token: buyer.token })
  await watch.waiters(1)
  commit.resolve()
  await expiring
  expect((await extending).body.code).toBe('ACTIVATION_ENDED')
  expect(await moneyOf(t, buyer)).toEqual({ balance: '448.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})

test.each(['extended', 'refused'] as const)(
  'an extension that another node has taken over is under way until that node settles it as %s',
  async (end) => {
    await using t = await startTestApp()
    const supplier = await addRenting(t)
    const buyer = await t.makeUser({ balance: '500.00' })
    const { id } = await rentOne(t, buyer)
    const nodeOn = (host: string) => insertNode(t.ctx.db, { host, pid: 1, version: '0.1.0', commit: null })
    const [paused, other] = [await nodeOn('a'), await nodeOn('b')]
    nodeOf(t.ctx).id = paused
    const answer = async (extension: RentalExtension) =>
      end === 'extended' ? supplier.rent.extend(extension) : ({ outcome: 'refused' } as const)
    supplier.rent.onExtend = async (extension) => {
      await endNode(t.ctx.db, paused)
      nodeOf(t.ctx).id = other
      rentingOf(t.ctx).clear()
      await takeOverOrphans(t.ctx)
      supplier.rent.onExtend = async () => {
        throw new Error('503 Service Unavailable')
      }
      expect(await settleRentalOrphans(t.ctx)).toBe(0)
      nodeOf(t.ctx).id = paused
      return answer(extension)
    }
    const told = await refused(t, EXTEND, { id, period: 24 }, { token: buyer.token })
    expect(told.body.code).toBe('IN_PROGRESS')
    expect(await readRental(t, buyer, id)).toMatchObject({ hours: 24 })
    expect(await moneyOf(t, buyer)).toEqual({ balance: '240.00', held: '260.00' })

    nodeOf(t.ctx).id = other
    supplier.rent.onExtend = answer
    expect(await settleRentalOrphans(t.ctx)).toBe(1)
    const [hours, balance, held] = end === 'extended' ? [48, '240.00', '0.00'] : [24, '370.00', '130.00']
    expect(await readRental(t, buyer, id)).toMatchObject({ hours })
    expect(await moneyOf(t, buyer)).toEqual({ balance, held })
    await expectBooksRight(t.ctx)
  },
)
