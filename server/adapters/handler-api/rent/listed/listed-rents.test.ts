import { expect, test, vi } from 'vitest'
import { HOUR } from '#contract/time.ts'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import { rentNumber } from '#server/core/numbers/purchase/rent.ts'
import { cancelRental } from '#server/core/numbers/rentals/cancel.ts'
import { extendRental } from '#server/core/numbers/rentals/extend.ts'
import { finishRental } from '#server/core/numbers/rentals/finish.ts'
import { findRental } from '#server/core/numbers/rentals/queries/read.ts'
import type { RentOrder } from '#server/core/suppliers/supplier.ts'
import { expectBooksRight } from '#test/builders/activation-rows.ts'
import { addField } from '#test/builders/suppliers/handler-api-supplier.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

const LIMIT = { timeout: 10_000, interval: 10 }
const { signal } = new AbortController()

async function openField() {
  await using stack = new AsyncDisposableStack()
  const t = stack.use(await startTestApp())
  const { house, supplier } = stack.use(await addField(t, 'sms-activate', { callsPerSecond: 100 }))
  const { rent } = supplier
  if (rent === undefined) throw new Error('it rents nothing out')
  await vi.waitUntil(() => rentCatalogOf(t.ctx).pair('full', 2) !== undefined, LIMIT)
  const buyer = await t.makeUser({ balance: '10000' })
  const kept = stack.move()
  return { t, house, renting: house.renting, supplier, rent, buyer, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

type Field = Awaited<ReturnType<typeof openField>>

async function rentOf({ t, buyer }: Field, hours = 24) {
  const wanted = { serviceCode: 'full', countryId: 2, operator: null, currency: 'rub', channel: 'site' } as const
  const row = await rentNumber(t.ctx, { ...wanted, hours, userId: buyer.id })
  return { rentalId: Number(row.id), userId: buyer.id, phone: row.phone ?? '', row }
}

const read = ({ t }: Field, { rentalId, userId }: { rentalId: number; userId: number }) =>
  findRental(t.ctx.db, { id: rentalId, userId })

function orderOf(t: TestApp, reference: string): RentOrder {
  return {
    reference,
    buyerId: 1,
    serviceCode: 'full',
    countryId: 2,
    operator: 'mixed',
    currency: 'rub',
    hours: 24,
    maxCostMicros: 60_000_000n,
    expiresAt: new Date(t.clock.now().getTime() + 24 * HOUR),
  }
}

const asked = ({ house }: Field, action: string) => house.asked.filter((one) => one.action === action).length
const lost = (action: string, act: boolean) => (name: string) =>
  name === action ? ({ cut: true, act } as const) : undefined

test('a number of the field is rented with all of its messages, extended, and ended', async () => {
  await using field = await openField()
  const { t, house, renting } = field
  const rented = await rentOf(field)
  expect(rented.row).toMatchObject({ price_micros: 78_000_000n, operator: 'mixed' })
  // The fake supplier writes short pages. An equal text is a second message, even if its time is equal too.
  renting.longestPage = 2
  for (const code of ['11111', '11111', '22222', '44444']) renting.send(`Telegram code: ${code}`)
  await vi.waitUntil(async () => (await read(field, rented))?.sms_count === 4, LIMIT)
  t.clock.advance(60_000)
  renting.send('Telegram code: 11111')
  await vi.waitUntil(async () => (await read(field, rented))?.sms_count === 5, LIMIT)
  expect(await extendRental(t.ctx, { ...rented, currency: 'rub', hours: 4 })).toMatchObject({ hours: 28 })
  const { rows } = await t.ctx.db.query<{ cost: bigint }>({ text: 'SELECT cost_micros AS cost FROM rentals' })
  expect(rows).toEqual([{ cost: 70_000_000n }])
  renting.send('Telegram code: 33333')
  await finishRental(t.ctx, rented)
  await t.runJobs()
  expect([...renting.rents.values()]).toMatchObject([{ state: 'finished', hours: 28 }])
  const stored = await t.ctx.db.query({ text: `SELECT body FROM messages WHERE body LIKE '%33333'` })
  expect(stored.rows).toHaveLength(1)
  expect(house.complaints).toEqual([])
  await expectBooksRight(t.ctx)
})

test('what is cancelled here in time gives the money back there; what the other takes back is paid back', async () => {
  await using field = await openField()
  const { t, renting } = field
  await cancelRental(t.ctx, await rentOf(field))
  await t.runJobs()
  expect([...renting.rents.values()].map(({ state }) => state)).toEqual(['cancelled'])
  const rented = await rentOf(field)
  const [, taken] = renting.rents.values()
  if (taken !== undefined) taken.state = 'revoked'
  await vi.waitUntil(async () => (await read(field, rented))?.state === 'revoked', LIMIT)
  await expectBooksRight(t.ctx)
})

test('after a restart the messages come as before, each once', async () => {
  await using field = await openField()
  const { t, renting, supplier } = field
  const rented = await rentOf(field)
  renting.send('Telegram code: 11111')
  await vi.waitUntil(async () => (await read(field, rented))?.sms_count === 1, LIMIT)
  await supplier.stop()
  renting.send('Telegram code: 22222')
  await supplier.start()
  await vi.waitUntil(async () => (await read(field, rented))?.sms_count === 2, LIMIT)
  const { rows } = await t.ctx.db.query<{ body: string }>({ text: 'SELECT body FROM messages ORDER BY id' })
  expect(rows.map(({ body }) => body)).toEqual(['Telegram code: 11111', 'Telegram code: 22222'])
})

test('an answer that got lost is found in the list, beside rentals of others, and nothing is rented twice', async () => {
  await using field = await openField()
  const { t, house, renting, rent } = field
  await rentOf(field)
  const [ours] = renting.rents.values()
  if (ours === undefined) throw new Error('nothing was rented')
  renting.rents.set('5', { ...ours, id: '5', phone: '77059990005' })
  house.instead = lost('getRentNumber', true)
  await expect(rent.rent(orderOf(t, 'r9-1'), signal)).rejects.toThrow('no answer')
  house.instead = () => undefined
  await expect(rent.rent(orderOf(t, 'r9-1'), signal)).rejects.toThrow('was asked for before')
  expect(await rent.rent(orderOf(t, 'r8-1'), signal)).toMatchObject({ outcome: 'refused', reason: 'rejected' })
  const newest = [...renting.rents.values()].at(-1)
  const found = await rent.findRental('r9-1', signal)
  expect(found).toMatchObject({ outcome: 'bought', supplierReference: newest?.id, phone: newest?.phone })
  expect(found).toMatchObject({ costMicros: 60_000_000n })
  expect(await rent.findRental('r9-1', signal)).toEqual(found)
  expect(await rent.rent(orderOf(t, 'r7-1'), signal)).toMatchObject({ outcome: 'bought' })
  const findings = (await field.supplier.test?.()) ?? []
  expect(findings.at(-1)).toEqual({
    what: 'rentals',
    works: true,
    says: '1 countries to rent in for 4 hours, 4 rented',
  })
  expect(renting.rents.size).toBe(4)
  expect(house.complaints).toEqual([])
})

test('what was never rented is none, once it cannot be under way any more; of two new rentals none is taken', async () => {
  await using field = await openField()
  const { t, house, renting, rent } = field
  house.instead = lost('getRentNumber', false)
  await expect(rent.rent(orderOf(t, 'r9-1'), signal)).rejects.toThrow('no answer')
  await expect(rent.findRental('r9-1', signal)).rejects.toThrow('may still be under way')
  t.clock.advance(45_000)
  expect(await rent.findRental('r9-1', signal)).toEqual({ outcome: 'none' })
  expect(await rent.findRental('r8-1', signal)).toEqual({ outcome: 'none' })
  for (const reference of ['r9-1', 'r8-1']) {
    await expect(rent.rent(orderOf(t, reference), signal)).rejects.toThrow('was asked for before')
  }
  house.instead = lost('getRentNumber', true)
  await expect(rent.rent(orderOf(t, 'r7-1'), signal)).rejects.toThrow('no answer')
  const [ours] = renting.rents.values()
  if (ours === undefined) throw new Error('nothing was rented')
  renting.rents.set('5', { ...ours, id: '5', phone: '77059990005' })
  await expect(rent.findRental('r7-1', signal)).rejects.toThrow('may be any of 2')
  t.clock.advance(HOUR)
  expect(await rent.findRental('r7-1', signal)).toEqual({ outcome: 'none' })
  expect(JSON.stringify(t.log.lines)).toContain('look by hand')
  expect([...renting.rents.values()].map(({ state }) => state)).toEqual(['open', 'open'])
})

test('two at once are asked for in turn; a price that rose, or a stock that is gone, rents nothing', async () => {
  await using field = await openField()
  const { t, house, renting, rent } = field
  house.instead = (action) => (action === 'getRentNumber' ? { hang: true, act: true } : undefined)
  const late = new AbortController()
  const first = rent.rent(orderOf(t, 'r1-1'), late.signal)
  const second = rent.rent(orderOf(t, 'r2-1'), signal)
  await vi.waitUntil(() => renting.rents.size === 1, LIMIT)
  house.instead = () => undefined
  late.abort()
  await expect(first).rejects.toThrow()
  // The first rental is lost, so the second must not be taken for it.
  expect(await second).toMatchObject({ outcome: 'refused' })
  expect(await rent.findRental('r1-1', signal)).toMatchObject({ outcome: 'bought' })
  renting.cost = 61
  expect(await rent.rent(orderOf(t, 'r3-1'), signal)).toMatchObject({ outcome: 'refused', reason: 'no-numbers' })
  renting.cost = null
  expect(await rent.rent(orderOf(t, 'r4-1'), signal)).toMatchObject({ outcome: 'refused', reason: 'no-numbers' })
  await expect(rent.rent(orderOf(t, 'r4-1'), signal)).rejects.toThrow('was asked for before')
  expect(renting.rents.size).toBe(1)
})

test('a flood of rentals by one buyer keeps neither messages nor other buyers away', async () => {
  await using field = await openField()
  const { t, renting, rent } = field
  const rented = await rentOf(field)
  const asked = Array.from({ length: 60 }, (_, at) => rent.rent(orderOf(t, `r9${at}-1`), signal))
  renting.send('Telegram code: 11111', rented.row.supplier_reference ?? '')
  const other = await rent.rent({ ...orderOf(t, 'r8-1'), buyerId: 2 }, signal)
  expect(other).toMatchObject({ outcome: 'bought' })
  await vi.waitUntil(async () => (await read(field, rented))?.sms_count === 1, LIMIT)
  const answers = await Promise.all(asked)
  expect(answers.filter(({ outcome }) => outcome === 'refused').length).toBeGreaterThan(50)
  await expect(rent.rent(orderOf(t, 'r959-1'), signal)).rejects.toThrow('was asked for before')
  expect(renting.rents.size).toBe(2 + answers.filter(({ outcome }) => outcome === 'bought').length)
})

test('prices in another currency, or none at all, rent nothing; neither does a service without rentals', async () => {
  await using field = await openField()
  const { t, house, renting, rent } = field
  const services = { full: { cost: 60, quant: 5 } }
  const say = (body: unknown) => (action: string) => (action === 'getRentServicesAndCountries' ? { body } : undefined)
  for (const [place, body] of [{ countries: { 0: 2 }, services, currency: 840 }, { services: 7 }, '<html>'].entries()) {
    house.instead = say(body)
    await expect(rent.rent(orderOf(t, `r${place}-1`), signal)).rejects.toThrow('cannot be read')
    expect(await rent.findRental(`r${place}-1`, signal)).toEqual({ outcome: 'none' })
  }
  house.instead = say('BAD_ACTION')
  expect(await rent.rent(orderOf(t, 'r8-1'), signal)).toMatchObject({ outcome: 'refused', reason: 'no-numbers' })
  house.instead = say({ countries: [2], services: { full: { cost: '60.00', quant: 0 } }, currency: 643 })
  expect(await rent.rent(orderOf(t, 'r9-1'), signal)).toMatchObject({ outcome: 'refused', reason: 'no-numbers' })
  expect(renting.rents.size).toBe(0)
})

test('a lost answer to an extension is found in the history of the rental, and none is paid twice', async () => {
  await using field = await openField()
  const { t, house, renting, rent } = field
  const rented = await rentOf(field)
  const extension = {
    reference: `r${rented.rentalId}-1`,
    supplierReference: rented.row.supplier_reference ?? '',
    hours: 4,
    currency: 'rub' as const,
    maxCostMicros: 10_000_000n,
    expiresAt: t.clock.now(),
    extensionReference: 'x7',
  }
  house.instead = lost('continueRentNumber', true)
  await expect(rent.extendRental(extension, signal)).rejects.toThrow('no answer')
  expect(await rent.extendRental(extension, signal)).toMatchObject({ outcome: 'extended' })
  expect(await rent.findExtension(extension, signal)).toMatchObject({ outcome: 'extended' })
  house.instead = lost('continueRentNumber', false)
  const next = { ...extension, extensionReference: 'x8' }
  await expect(rent.extendRental(next, signal)).rejects.toThrow('no answer')
  await expect(rent.findExtension(next, signal)).rejects.toThrow('may still be under way')
  t.clock.advance(45_000)
  expect(await rent.findExtension(next, signal)).toEqual({ outcome: 'none' })
  house.instead = () => undefined
  expect(await rent.extendRental(next, signal)).toEqual({ outcome: 'refused' })
  const dear = { ...extension, extensionReference: 'x9', maxCostMicros: 9_000_000n }
  expect(await rent.extendRental(dear, signal)).toEqual({ outcome: 'refused' })
  const long = { ...extension, extensionReference: 'x10', hours: 1_440, maxCostMicros: 9_000_000_000n }
  expect(await rent.extendRental(long, signal)).toEqual({ outcome: 'refused' })
  expect([...renting.rents.values()]).toMatchObject([{ hours: 28, extensions: [{ hours: 4 }] }])
  expect(asked(field, 'continueRentNumber')).toBe(3)
  expect(house.complaints).toEqual([])
})
