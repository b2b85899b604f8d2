import { randomInt } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { AppError } from '#server/errors.ts'
import { cancelRental } from '#server/numbers/rentals/cancel.ts'
import { extendRental } from '#server/numbers/rentals/extend.ts'
import { finishRental } from '#server/numbers/rentals/finish.ts'
import { giveUpRenting, sweepRenting } from '#server/numbers/rentals/sweep.ts'
import { randomRuns } from '#test/harness/random-runs.ts'
import { type Chain, expectAllRight, LIMIT, openChain, read, rentOf } from './test-chain.ts'

const RENTALS = randomRuns({ suite: 10, soak: 300 })
const LOST = /^(getRentNumber|continueRentNumber|setRentStatus|getRentOrder|getRentExtension|getRentStatus)$/

/** What is refused, or not known yet, is an answer as well. */
async function pressed<Given>(verb: Promise<Given>): Promise<Given | null> {
  return verb.catch((error: unknown) => {
    if (error instanceof AppError) return null
    throw error
  })
}

/** Jobs come again with growing delays, and sweeps each second: nobody has to wait for those. */
async function settle({ a, b }: Chain): Promise<void> {
  const isOpen = async () => {
    const { rows } = await a.ctx.db.query<{ open: boolean }>({
      text: `SELECT EXISTS (SELECT FROM rentals WHERE state = 'reserving' OR extension_id IS NOT NULL)
        OR EXISTS (SELECT FROM graphile_worker._private_jobs) AS open`,
    })
    return rows[0]?.open === true
  }
  for (let round = 0; round < 100 && (await isOpen()); round += 1) {
    a.clock.advance(15_000)
    await sweepRenting(a.ctx)
    await giveUpRenting(a.ctx)
    for (const t of [a, b]) {
      await t.ctx.db.query({ text: 'UPDATE graphile_worker._private_jobs SET run_at = now()' })
      await t.runJobs()
    }
  }
  expect(await isOpen()).toBe(false)
}

test('with a call in four lost on its way or back, each rental and extension is paid once, and no message is missed', {
  timeout: RENTALS * 20_000,
}, async () => {
  await using chain = await openChain()
  const { a, b, line, supplier, sms } = chain
  line.lose = (action) => {
    const drawn = LOST.test(action) ? randomInt(8) : 7
    return drawn === 0 ? 'before' : drawn === 1 ? 'after' : undefined
  }
  let kept = 0
  for (let place = 0; place < RENTALS; place += 1) {
    await vi.waitUntil(() => a.ctx.rentCatalog.pair('full', 2) !== undefined, LIMIT)
    const rented = await pressed(rentOf(chain))
    if (rented !== null && place % 3 === 0) await cancelRental(a.ctx, rented)
    if (rented !== null && place % 3 !== 0) {
      kept += 1
      await sms(rented.phone, 'Telegram code: 11111')
      await pressed(extendRental(a.ctx, { ...rented, currency: 'rub', hours: 4 }))
      if (place % 3 === 1) {
        await supplier.stop()
        await supplier.start()
      }
      await sms(rented.phone, 'Telegram code: 22222')
      await vi.waitUntil(async () => (await read(a, rented))?.sms_count === 2, LIMIT)
      await settle(chain)
      await finishRental(a.ctx, rented)
    }
    await settle(chain)
  }
  const paid = await a.ctx.db.query({
    text: `SELECT supplier_reference AS id, cost_micros AS micros FROM rentals WHERE captured_at IS NOT NULL ORDER BY id`,
  })
  const charged = await b.ctx.db.query({
    text: `SELECT rental_id::text AS id, sum(price_micros)::bigint AS micros FROM charges WHERE money = 'captured'
      GROUP BY rental_id ORDER BY rental_id`,
  })
  expect(paid.rows).toHaveLength(kept)
  expect(charged.rows).toEqual(paid.rows)
  const left = await b.ctx.db.query({ text: `SELECT state FROM rentals WHERE state IN ('active', 'reserving')` })
  expect(left.rows).toEqual([])
  await expectAllRight(chain)
})
