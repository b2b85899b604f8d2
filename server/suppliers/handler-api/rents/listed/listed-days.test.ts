import { randomInt } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { tryAgain } from '#server/catalog/health/try-again.ts'
import { AppError } from '#server/errors.ts'
import { cancelRental } from '#server/numbers/rentals/cancel.ts'
import { extendRental } from '#server/numbers/rentals/extend.ts'
import { finishRental } from '#server/numbers/rentals/finish.ts'
import { findRental } from '#server/numbers/rentals/queries/read.ts'
import { rentNumber } from '#server/numbers/rentals/rent.ts'
import { giveUpRenting, sweepRenting } from '#server/numbers/rentals/sweep.ts'
import { addField } from '#server/suppliers/handler-api/test-field.ts'
import { expectBooksRight } from '#test/builders/activation-rows.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { randomRuns } from '#test/harness/random-runs.ts'

const RENTALS = randomRuns({ suite: 9, soak: 300 })
const LOST = /^(getRentNumber|continueRentNumber|setRentStatus|getRentList|continueRentInfo|getRentStatus)$/
const LIMIT = { timeout: 10_000, interval: 10 }

/** What is refused, or not known yet, is an answer as well. */
async function pressed<Given>(verb: Promise<Given>): Promise<Given | null> {
  return verb.catch((error: unknown) => {
    if (error instanceof AppError) return null
    throw error
  })
}

async function settle(t: TestApp): Promise<void> {
  const isOpen = async () => {
    const { rows } = await t.ctx.db.query<{ open: boolean }>({
      text: `SELECT EXISTS (SELECT FROM rentals WHERE state = 'reserving' OR extension_id IS NOT NULL)
        OR EXISTS (SELECT FROM graphile_worker._private_jobs) AS open`,
    })
    return rows[0]?.open === true
  }
  for (let round = 0; round < 100 && (await isOpen()); round += 1) {
    t.clock.advance(15_000)
    await sweepRenting(t.ctx)
    await giveUpRenting(t.ctx)
    await t.ctx.db.query({ text: 'UPDATE graphile_worker._private_jobs SET run_at = now()' })
    await t.runJobs()
  }
  expect(await isOpen()).toBe(false)
}

/** A supplier that lost five calls in a row is set aside, and tried again. */
async function isOffered(t: TestApp): Promise<boolean> {
  if (t.ctx.rentCatalog.pair('full', 2) !== undefined) return true
  t.clock.advance(60_000)
  await tryAgain(t.ctx)
  return false
}

test('with a call in four lost, no rental and no extension is paid twice, and no message is missed', {
  timeout: RENTALS * 20_000,
}, async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'sms-activate', { callsPerSecond: 100 })
  const { house } = field
  house.balance = '100000'
  const buyer = await t.makeUser({ balance: '100000' })
  const wanted = { serviceCode: 'full', countryId: 2, operator: null, currency: 'rub', channel: 'site' } as const
  house.instead = (action) => {
    const drawn = LOST.test(action) ? randomInt(8) : 7
    return drawn > 1 ? undefined : { cut: true, act: drawn === 0 }
  }
  let kept = 0
  for (let place = 0; place < RENTALS; place += 1) {
    await vi.waitUntil(() => isOffered(t), LIMIT)
    const row = await pressed(rentNumber(t.ctx, { ...wanted, hours: 24, userId: buyer.id }))
    const rented = row === null ? null : { rentalId: Number(row.id), userId: buyer.id }
    if (rented !== null && place % 3 === 0) await cancelRental(t.ctx, rented)
    if (rented !== null && place % 3 !== 0) {
      kept += 1
      house.renting.send('Telegram code: 11111')
      await pressed(extendRental(t.ctx, { ...rented, currency: 'rub', hours: 4 }))
      house.renting.send('Telegram code: 22222')
      if (place % 3 === 1) {
        await vi.waitUntil(
          async () => (await findRental(t.ctx.db, { ...rented, id: rented.rentalId }))?.sms_count === 2,
          LIMIT,
        )
      }
      await settle(t)
      await finishRental(t.ctx, rented)
    }
    await settle(t)
  }
  const { rows } = await t.ctx.db.query<{ id: string; hours: number }>({
    text: 'SELECT supplier_reference AS id, hours FROM rentals WHERE captured_at IS NOT NULL ORDER BY id',
  })
  expect(rows).toHaveLength(kept)
  const paid = [...house.renting.rents.values()].filter(({ state }) => state !== 'cancelled')
  expect(paid.map(({ id, hours }) => ({ id, hours }))).toEqual(rows)
  expect(paid.map(({ state }) => state)).toEqual(paid.map(() => 'finished'))
  const stored = await t.ctx.db.query({ text: 'SELECT body FROM messages' })
  expect(stored.rows).toHaveLength(2 * kept)
  expect(house.complaints).toEqual([])
  await expectBooksRight(t.ctx)
})
