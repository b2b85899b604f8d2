import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { giveUpRenting, sweepRenting } from '#server/core/numbers/purchase/rental-orphans.ts'
import { count, expectBooksRight, moneyOf } from '#test/builders/activation-rows.ts'
import { addRenting, later, readRental, rentOne } from '#test/builders/rental-rows.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { gate, noAnswer } from './silence.ts'

const EXTEND = 'POST /api/v1/rentals/{id}/extend'
const JOBS = 'graphile_worker._private_jobs'

test('R-C: an extension is asked for during ten minutes, then its money is released, and the rental can end', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '260.00' })
  const { id } = await rentOne(t, buyer)
  supplier.rent.onExtend = noAnswer
  const told = await refused(t, EXTEND, { id, period: 24 }, { token: buyer.token })
  expect(told.body.code).toBe('IN_PROGRESS')
  t.clock.advance(10 * MINUTE - 1)
  expect(await giveUpRenting(t.ctx)).toBe(0)
  expect(await sweepRenting(t.ctx)).toBe(0)
  expect(supplier.rent.extensions).toHaveLength(2)
  t.clock.advance(1)
  expect(await giveUpRenting(t.ctx)).toBe(1)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '130.00', held: '130.00' })
  // A repeated request could extend the rental twice, so from now on the supplier is only asked for the outcome.
  t.clock.advance(1)
  expect(await sweepRenting(t.ctx)).toBe(0)
  expect(supplier.rent.extensions).toHaveLength(2)
  const { data } = await call(t, 'POST /api/v1/rentals/{id}/cancel', { id }, { token: buyer.token })
  expect(data).toMatchObject({ state: 'cancelled', hours: 24 })
  await expectBooksRight(t.ctx)
})

test('R-C: an extension that is granted too late costs the buyer nothing and changes nothing for him', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '260.00' })
  const { id, expired_date } = await rentOne(t, buyer)
  const silent = gate<void>()
  supplier.rent.onExtend = async ({ maxCostMicros }) => {
    await silent.wait()
    return { outcome: 'extended', costMicros: maxCostMicros }
  }
  const extending = refused(t, EXTEND, { id, period: 24 }, { token: buyer.token })
  await silent.asked
  await later(t, buyer, 10 * MINUTE)
  expect(await giveUpRenting(t.ctx)).toBe(1)
  silent.answer()
  expect((await extending).body.code).toBe('EXTEND_UNAVAILABLE')
  expect(await readRental(t, buyer, id)).toMatchObject({ hours: 24, price: '130.00', expired_date })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '130.00', held: '130.00' })
  expect(await count(t.ctx, 'rentals WHERE cost_micros = 200000000')).toBe(1)
  await expectBooksRight(t.ctx)
})

test('R-C: an extension that was given up is asked about until its supplier says that it was made: our cost, once', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '260.00' })
  const { id, expired_date } = await rentOne(t, buyer)
  const silent = gate<void>()
  supplier.rent.onExtend = async (extension) => {
    const made = supplier.rent.extend(extension)
    await silent.wait()
    return made
  }
  const extending = refused(t, EXTEND, { id, period: 24 }, { token: buyer.token })
  await silent.asked
  await later(t, buyer, 10 * MINUTE)
  expect(await giveUpRenting(t.ctx)).toBe(1)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '130.00', held: '130.00' })
  const { onFindExtension } = supplier.rent
  supplier.rent.onFindExtension = noAnswer
  await t.runJobs()
  expect(await count(t.ctx, 'rentals WHERE cost_micros = 100000000')).toBe(1)
  supplier.rent.onFindExtension = onFindExtension
  await t.ctx.db.query({ text: `UPDATE ${JOBS} SET run_at = now()` })
  await t.runJobs()
  const [{ extensionReference } = { extensionReference: '' }] = supplier.rent.extensions
  expect(supplier.rent.finds).toEqual([extensionReference, extensionReference])
  expect(await count(t.ctx, 'rentals WHERE cost_micros = 200000000')).toBe(1)
  // The late answer to the first request reports an extension that the buyer does not get.
  silent.answer()
  expect((await extending).body.code).toBe('EXTEND_UNAVAILABLE')
  expect(await count(t.ctx, 'rentals WHERE cost_micros = 200000000')).toBe(1)
  expect(await count(t.ctx, JOBS)).toBe(0)
  expect(await readRental(t, buyer, id)).toMatchObject({ hours: 24, price: '130.00', expired_date })
  const late = t.log.lines.filter(({ sentence }) => sentence.startsWith('an extension was granted after its money'))
  expect(late).toHaveLength(1)
  await expectBooksRight(t.ctx)
})
