import { randomInt } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { rentNumber } from '#server/core/numbers/purchase/rent.ts'
import { cancelRental } from '#server/core/numbers/rentals/cancel.ts'
import { extendRental } from '#server/core/numbers/rentals/extend.ts'
import { finishRental } from '#server/core/numbers/rentals/finish.ts'
import { findRental } from '#server/core/numbers/rentals/queries/read.ts'
import { expectBooksRight } from '#test/builders/activation-rows.ts'
import { addField } from '#test/builders/suppliers/handler-api-supplier.ts'
import { isOffered, orRefused, settleRentals } from '#test/builders/suppliers/lost-answers.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { randomRuns } from '#test/harness/random-runs.ts'
import { LIMIT } from '#test/services/rental-chain.ts'

const RENTALS = randomRuns({ suite: 9, soak: 300 })
const LOST = /^(getRentNumber|continueRentNumber|setRentStatus|getRentList|continueRentInfo|getRentStatus)$/

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
    const row = await orRefused(rentNumber(t.ctx, { ...wanted, hours: 24, userId: buyer.id }))
    const rented = row === null ? null : { rentalId: Number(row.id), userId: buyer.id }
    if (rented !== null && place % 3 === 0) await cancelRental(t.ctx, rented)
    if (rented !== null && place % 3 !== 0) {
      kept += 1
      const count = async () => (await findRental(t.ctx.db, { ...rented, id: rented.rentalId }))?.sms_count ?? 0
      house.renting.send('Telegram code: 11111')
      await vi.waitUntil(async () => (await count()) === 1, LIMIT)
      await orRefused(extendRental(t.ctx, { ...rented, currency: 'rub', hours: 4 }))
      house.renting.send('Telegram code: 22222')
      if (place % 3 === 1) await vi.waitUntil(async () => (await count()) === 2, LIMIT)
      await settleRentals(t)
      await finishRental(t.ctx, rented)
    }
    await settleRentals(t)
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
