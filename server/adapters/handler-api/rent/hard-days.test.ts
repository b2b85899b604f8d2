import { randomInt } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { cancelRental } from '#server/core/numbers/rentals/cancel.ts'
import { extendRental } from '#server/core/numbers/rentals/extend.ts'
import { finishRental } from '#server/core/numbers/rentals/finish.ts'
import { isOffered, orRefused, settleRentals } from '#test/builders/suppliers/lost-answers.ts'
import { randomRuns } from '#test/harness/random-runs.ts'
import { expectAllRight, LIMIT, openChain, read, rentOf } from '#test/services/rental-chain.ts'

const RENTALS = randomRuns({ suite: 15, soak: 300 })
const LOST = /^(getRentNumber|continueRentNumber|setRentStatus|getRentOrder|getRentExtension|getRentStatus)$/

test('with a call in four lost on its way or back, each rental and extension is paid once, and no message is missed', {
  timeout: RENTALS * 20_000,
}, async () => {
  await using chain = await openChain()
  const { a, b, line, supplier, sms } = chain
  const certain = [...new Array(5).fill('before'), undefined, undefined]
  line.lose = (action) => {
    if (action === 'getRentNumber' && certain.length > 0) return certain.shift()
    const drawn = LOST.test(action) ? randomInt(8) : 7
    return drawn === 0 ? 'before' : drawn === 1 ? 'after' : undefined
  }
  let kept = 0
  for (let place = 0; place < RENTALS; place += 1) {
    await vi.waitUntil(() => isOffered(a), LIMIT)
    const rented = await orRefused(rentOf(chain))
    if (rented !== null && place % 3 === 0) await cancelRental(a.ctx, rented)
    if (rented !== null && place % 3 !== 0) {
      kept += 1
      await sms(rented.phone, 'Telegram code: 11111')
      await orRefused(extendRental(a.ctx, { ...rented, currency: 'rub', hours: 4 }))
      if (place % 3 === 1) {
        await supplier.stop()
        await supplier.start()
      }
      await sms(rented.phone, 'Telegram code: 22222')
      await vi.waitUntil(async () => (await read(a, rented))?.sms_count === 2, LIMIT)
      await settleRentals(a, b)
      await finishRental(a.ctx, rented)
    }
    await settleRentals(a, b)
  }
  const events = await a.ctx.db.query({
    text: `SELECT kind FROM supplier_events WHERE kind !~ '^link' ORDER BY id LIMIT 2`,
  })
  expect(events.rows).toEqual([{ kind: 'set-aside' }, { kind: 'returned' }])
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
