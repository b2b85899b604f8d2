import { expect, test, vi } from 'vitest'
import { HOUR } from '#contract/time.ts'
import { rentNumber } from '#server/core/numbers/purchase/rent.ts'
import { reportNumberUnusable } from '#server/core/numbers/refunds/report-unusable.ts'
import { cancelRental } from '#server/core/numbers/rentals/cancel.ts'
import { extendRental } from '#server/core/numbers/rentals/extend.ts'
import { finishRental } from '#server/core/numbers/rentals/finish.ts'
import { sweepRentals } from '#server/core/numbers/rentals/sweep.ts'
import type { RentOrder } from '#server/core/suppliers/supplier.ts'
import { type Chain, expectAllRight, LIMIT, openChain, read, rentOf, rentsOf } from '#test/services/rental-chain.ts'

const { signal } = new AbortController()

function orderOf({ a }: Chain, reference: string): RentOrder {
  return {
    reference,
    buyerId: 1,
    serviceCode: 'full',
    countryId: 2,
    operator: 'mixed',
    currency: 'rub',
    hours: 24,
    maxCostMicros: 130_000_000n,
    expiresAt: new Date(a.clock.now().getTime() + 24 * HOUR),
  }
}

test('a number of another service is rented with all of its messages, extended, and ended', async () => {
  await using chain = await openChain()
  const { a, b, sms } = chain
  const rented = await rentOf(chain)
  expect(rented.row).toMatchObject({ price_micros: 169_000_000n, cost_limit_micros: 130_000_000n, operator: 'mixed' })
  for (const text of ['Telegram code: 11111', 'Telegram code: 11111', 'Telegram code: 22222']) {
    await sms(rented.phone, text)
  }
  await vi.waitUntil(async () => (await read(a, rented))?.sms_count === 3, LIMIT)
  const extended = await extendRental(a.ctx, { ...rented, currency: 'rub', hours: 4 })
  expect(extended).toMatchObject({ hours: 28, price_micros: 236_600_000n, code: '22222' })
  expect(await rentsOf(b)).toEqual([{ state: 'active', hours: 28, sms: 3 }])
  const { rows } = await a.ctx.db.query({ text: `SELECT cost_micros FROM rentals` })
  expect(rows).toEqual([{ cost_micros: 182_000_000n }])
  await sms(rented.phone, 'Telegram code: 33333')
  await vi.waitUntil(async () => (await read(a, rented))?.code === '33333', LIMIT)
  await finishRental(a.ctx, rented)
  await a.runJobs()
  expect(await rentsOf(b)).toEqual([{ state: 'finished', hours: 28, sms: 4 }])
  await expectAllRight(chain)
})

test('what is cancelled here gives the money back there; what has expired is over at both', async () => {
  await using chain = await openChain()
  const { a, b } = chain
  await cancelRental(a.ctx, await rentOf(chain))
  await a.runJobs()
  const rented = await rentOf(chain, 4)
  a.clock.advance(5 * HOUR)
  await sweepRentals(a.ctx)
  await a.runJobs()
  expect(await read(a, rented)).toMatchObject({ state: 'expired' })
  expect((await rentsOf(b)).map(({ state }) => state)).toEqual(['cancelled', 'finished'])
  await expectAllRight(chain)
})

test('a flood of rentals by one buyer keeps neither messages nor other buyers away', async () => {
  await using chain = await openChain({ callsPerSecond: 10 })
  const { a, rent, sms } = chain
  const rented = await rentOf(chain)
  const asked = Array.from({ length: 60 }, (_, at) => rent.rent(orderOf(chain, `r9${at}-1`), signal))
  await sms(rented.phone, 'Telegram code: 11111')
  const other = await rent.rent({ ...orderOf(chain, 'r8-1'), buyerId: 2 }, signal)
  expect(other).not.toMatchObject({ detail: expect.stringContaining('wait for the supplier') })
  await vi.waitUntil(async () => (await read(a, rented))?.sms_count === 1, LIMIT)
  const refused = (await Promise.all(asked)).filter(
    (answer) => answer.outcome === 'refused' && answer.detail === 'too many wishes of one buyer wait for the supplier',
  )
  expect(refused.length).toBeGreaterThan(40)
})

test('of messages without end, no more are kept at once than were asked for', async () => {
  await using chain = await openChain()
  const { a, line, sms } = chain
  const rented = await rentOf(chain)
  const values = Array.from({ length: 250 }, (_, at) => ({
    id: `x${at}`,
    phoneFrom: 'Telegram',
    text: `Telegram code: ${30_000 + at}`,
  }))
  const body = JSON.stringify({ status: 'success', quantity: '250', values })
  line.instead = (action) => (action === 'getRentStatus' ? body : undefined)
  await sms(rented.phone, 'Telegram code: 11111')
  await vi.waitUntil(async () => ((await read(a, rented))?.sms_count ?? 0) >= 100, LIMIT)
  line.instead = () => undefined
  await sms(rented.phone, 'Telegram code: 22222')
  await vi.waitUntil(async () => (await read(a, rented))?.code === '22222', LIMIT)
  expect((await read(a, rented))?.sms_count).toBe(102)
})

test('a number that the other takes back is the buyer’s no more, and is paid back', async () => {
  await using chain = await openChain()
  const { a, b, fake } = chain
  const rented = await rentOf(chain)
  const { rows } = await b.ctx.db.query<{ id: bigint }>({ text: 'SELECT id FROM rentals' })
  await reportNumberUnusable(b.ctx, { supplierId: fake.id, reference: `r${rows[0]?.id}-1` })
  await vi.waitUntil(async () => (await read(a, rented))?.state === 'revoked', LIMIT)
  await expectAllRight(chain)
})

test('after a restart the messages of rented numbers come as before, each once', async () => {
  await using chain = await openChain()
  const { a, supplier, sms } = chain
  const rented = await rentOf(chain)
  await sms(rented.phone, 'Telegram code: 11111')
  await vi.waitUntil(async () => (await read(a, rented))?.sms_count === 1, LIMIT)
  await supplier.stop()
  await sms(rented.phone, 'Telegram code: 22222')
  await supplier.start()
  await vi.waitUntil(async () => (await read(a, rented))?.sms_count === 2, LIMIT)
  const { rows } = await a.ctx.db.query<{ body: string }>({ text: 'SELECT body FROM messages ORDER BY id' })
  expect(rows.map(({ body }) => body)).toEqual(['Telegram code: 11111', 'Telegram code: 22222'])
  await expectAllRight(chain)
})

test('answers that get lost are found by looking: nothing is rented, extended or ended twice', async () => {
  await using chain = await openChain()
  const { a, b, rent, line, sms } = chain
  line.lose = (action) => (action === 'getRentNumber' ? 'after' : undefined)
  await expect(rent.rent(orderOf(chain, 'r9-1'), signal)).rejects.toThrow('no answer')
  await expect(rent.rent(orderOf(chain, 'r9-1'), signal)).rejects.toThrow('was asked for before')
  const found = await rent.findRental('r9-1', signal)
  expect(found).toMatchObject({ outcome: 'bought', costMicros: 130_000_000n })
  expect(await rent.findRental('r9-1', signal)).toEqual(found)
  if (found.outcome === 'none') throw new Error('it was not found')
  const { phone, supplierReference } = found
  await sms(phone, 'Telegram code: 11111')

  line.lose = (action) => (action === 'continueRentNumber' ? 'after' : undefined)
  const extension = {
    reference: 'r9-1',
    supplierReference,
    extensionReference: 'x7',
    hours: 4,
    currency: 'rub' as const,
    maxCostMicros: 52_000_000n,
    expiresAt: a.clock.now(),
  }
  await expect(rent.extendRental(extension, signal)).rejects.toThrow('no answer')
  const extended = { outcome: 'extended', costMicros: 52_000_000n }
  expect(await rent.extendRental(extension, signal)).toEqual(extended)
  expect(await rent.findExtension(extension, signal)).toEqual(extended)
  expect(await rentsOf(b)).toMatchObject([{ state: 'active', hours: 28 }])

  line.lose = (action) => (action === 'setRentStatus' ? 'after' : undefined)
  const number = { reference: 'r9-1', supplierReference, phone, serviceCode: 'full' }
  await expect(rent.endRental(number, signal)).rejects.toThrow('no answer')
  line.lose = () => undefined
  await rent.endRental(number, signal)
  await rent.endRental(number, signal)
  expect(await rentsOf(b)).toMatchObject([{ state: 'finished', hours: 28 }])
  expect(line.asked.filter((action) => action === 'continueRentNumber')).toHaveLength(1)
  await expectAllRight(chain)
})

test('neither a rental nor an extension is paid in another currency than it was priced in', async () => {
  await using chain = await openChain()
  const { a, b, rent, line } = chain
  const order = orderOf(chain, 'r9-1')
  expect(await rent.rent({ ...order, currency: 'usd' }, signal)).toMatchObject({
    outcome: 'refused',
    reason: 'rejected',
  })
  expect(await rent.findRental('r9-1', signal)).toEqual({ outcome: 'none' })
  const rented = await rent.rent({ ...order, reference: 'r8-1' }, signal)
  if (rented.outcome !== 'bought') throw new Error('it was not rented')
  const extension = {
    reference: 'r8-1',
    supplierReference: rented.supplierReference,
    extensionReference: 'x7',
    hours: 4,
    maxCostMicros: 52_000_000n,
    currency: 'usd' as const,
    expiresAt: a.clock.now(),
  }
  expect(await rent.extendRental(extension, signal)).toEqual({ outcome: 'refused' })
  expect(await rent.findExtension(extension, signal)).toEqual({ outcome: 'none' })
  expect(line.asked.filter((action) => /^(getRentNumber|continueRentNumber)$/.test(action))).toEqual(['getRentNumber'])
  expect(await rentsOf(b)).toMatchObject([{ state: 'active', hours: 24 }])
})

test('what never reached the other is none, once it cannot be on its way any more; what arrives later is given back', async () => {
  await using chain = await openChain()
  const { a, b, rent, line, reseller } = chain
  line.lose = (action) => (/^(getRentNumber|continueRentNumber)$/.test(action) ? 'before' : undefined)
  await expect(rent.rent(orderOf(chain, 'r9-1'), signal)).rejects.toThrow('no answer')
  await expect(rent.findRental('r9-1', signal)).rejects.toThrow('may still be on its way')
  a.clock.advance(5_000)
  expect(await rent.findRental('r9-1', signal)).toEqual({ outcome: 'none' })
  expect(await rent.findRental('r8-1', signal)).toEqual({ outcome: 'none' })
  for (const reference of ['r9-1', 'r8-1']) {
    await expect(rent.rent(orderOf(chain, reference), signal)).rejects.toThrow('was asked for before')
  }
  expect(await rentsOf(b)).toEqual([])

  line.lose = () => undefined
  const rented = await rentOf(chain)
  const reference = `r${rented.rentalId}-1`
  const extension = {
    reference,
    supplierReference: rented.row.supplier_reference ?? '',
    extensionReference: 'x7',
    hours: 4,
    currency: 'rub' as const,
    maxCostMicros: 52_000_000n,
    expiresAt: a.clock.now(),
  }
  line.lose = (action) => (action === 'continueRentNumber' ? 'before' : undefined)
  await expect(rent.extendRental(extension, signal)).rejects.toThrow('no answer')
  await expect(rent.findExtension(extension, signal)).rejects.toThrow('may still be under way')
  a.clock.advance(45_000)
  expect(await rent.findExtension(extension, signal)).toEqual({ outcome: 'none' })
  line.lose = () => undefined
  expect(await rent.extendRental(extension, signal)).toEqual({ outcome: 'refused' })
  const dear = { ...extension, extensionReference: 'x8', maxCostMicros: 51_000_000n }
  expect(await rent.extendRental(dear, signal)).toEqual({ outcome: 'refused' })

  const { rows } = await a.ctx.db.query<{ marker: string }>({ text: 'SELECT marker FROM resell_accounts' })
  const rentThere = (name: string) =>
    rentNumber(b.ctx, {
      userId: reseller.id,
      currency: 'rub',
      serviceCode: 'full',
      countryId: 2,
      hours: 4,
      operator: null,
      channel: 'handler_api',
      idempotencyKey: `order:${rows[0]?.marker}-${name}`,
    })
  const cancelled = async () => (await rentsOf(b)).filter(({ state }) => state === 'cancelled').length
  await rentThere('r9-1')
  await vi.waitUntil(async () => (await cancelled()) === 1, LIMIT)
  expect(await rentsOf(b)).toMatchObject([{ state: 'active', hours: 24 }, { state: 'cancelled' }])

  // A fail-over of PostgreSQL lost the order of this name.
  await rentThere('r10-1')
  await a.ctx.db.query({
    text: 'INSERT INTO timelines (system_identifier, timeline, is_fail_over) VALUES (1, 2, true)',
  })
  await vi.waitUntil(async () => (await cancelled()) === 2, LIMIT)
  await expectAllRight(chain)
})
