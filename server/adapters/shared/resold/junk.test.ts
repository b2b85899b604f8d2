import { expect, test, vi } from 'vitest'
import { createFiveSimSupplier } from '#server/adapters/five-sim/buy/five-sim-supplier.ts'
import { readOrder } from '#server/adapters/five-sim/wire/read-order.ts'
import { routeBookOf } from '#server/core/catalog/routing/route-book.ts'
import { cancelActivation } from '#server/core/numbers/activations/cancel.ts'
import { findActivation } from '#server/core/numbers/activations/queries/read.ts'
import { handOverLeft } from '#server/core/numbers/delivery/hand-over.ts'
import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import { buyActivation } from '#server/core/numbers/purchase/buy.ts'
import { rollUp } from '#server/core/numbers/statistics/roll-up.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { expectBooksRight, moneyOf } from '#test/builders/activation-rows.ts'
import { addFiveSim } from '#test/builders/suppliers/five-sim-supplier.ts'
import { addField } from '#test/builders/suppliers/handler-api-supplier.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { sumLosses } from './queries/accounts.ts'

const wanted = { serviceCode: 'tg', countryId: 2, operator: null, currency: 'rub', channel: 'site' } as const
const ADVERT = 'Win a prize today, call us now'
const PAID_NOTHING = { balance: '1000.00', held: '0.00' }

async function buy(t: TestApp) {
  const buyer = await t.makeUser({ balance: '1000' })
  const { activation } = await buyActivation(t.ctx, { ...wanted, userId: buyer.id })
  const which = { id: Number(activation.id), userId: buyer.id }
  return { buyer, activationId: which.id, userId: buyer.id, row: () => findActivation(t.ctx.db, which) }
}

type Bought = Awaited<ReturnType<typeof buy>>

const inState = ({ row }: Bought, state: string) =>
  vi.waitUntil(async () => (await row())?.state === state, { timeout: 10_000 })

async function messagesOf(t: TestApp) {
  const { rows } = await t.ctx.db.query({ text: 'SELECT body, given, code, withheld FROM messages ORDER BY id' })
  return rows
}

test.each(['smsbower', 'sms-activate', 'hero-sms', 'daisy'] as const)(
  'OP-1: an advert that %s counts as delivered costs its buyer nothing, and is booked as a loss',
  async (dialect) => {
    await using t = await startTestApp()
    await using field = await addField(t, dialect)
    const bought = await buy(t)
    field.house.send(ADVERT)
    await inState(bought, 'used')
    expect(await moneyOf(t, bought.buyer)).toEqual(PAID_NOTHING)
    // The supplier counted a message and refuses a cancellation, so the order is finished and costs us its price.
    await t.runJobs()
    expect([...field.house.sold.values()].map(({ state }) => state)).toEqual(['finished'])
    expect(field.house.asked.filter(({ parameters }) => parameters.status === '8')).toHaveLength(1)
    expect(await sumLosses(t.ctx.db, field.supplier.id)).toEqual({ codes: 1n, micros: 12_500_000n })
    expect(await messagesOf(t)).toEqual([{ body: ADVERT, given: 'unmatched', code: null, withheld: false }])
    await expectBooksRight(t.ctx)
    expect(field.house.complaints).toEqual([])
  },
)

test('B1: STATUS_OK with nothing behind it is cancelled first; what the other takes back costs us nothing', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'smsbower')
  const bought = await buy(t)
  field.house.instead = (action, { status }) => {
    if (action === 'getStatus') return { body: 'STATUS_OK:' }
    return status === '8' ? { body: 'ACCESS_CANCEL' } : undefined
  }
  await inState(bought, 'used')
  await t.runJobs()
  expect(field.house.asked.filter(({ action }) => action === 'setStatus')).toHaveLength(1)
  expect(await moneyOf(t, bought.buyer)).toEqual(PAID_NOTHING)
  expect(await sumLosses(t.ctx.db, field.supplier.id)).toEqual({ codes: 0n, micros: 0n })
  await expectBooksRight(t.ctx)
})

test.each([
  // Our own rules would find no code in any `text` of this table.
  { told: '48213', text: '48213' },
  { told: 'BCDFG', text: 'BCDFG' },
  { told: '1234-5678', text: '1234-5678', code: '12345678' },
])('OP-1: what the other says is a code is one, and passed on as told: $told', async ({ told, text, code = told }) => {
  await using t = await startTestApp()
  await using field = await addField(t, 'smsbower')
  const bought = await buy(t)
  field.house.instead = (action) => (action === 'getStatus' ? { body: `STATUS_OK:${told}` } : undefined)
  await inState(bought, 'received')
  expect(await bought.row()).toMatchObject({ code, money: 'captured' })
  expect(await messagesOf(t)).toEqual([{ body: text, given: 'reference', code, withheld: false }])
})

test('OP-1: a code that the other told before the purchase was settled is handed over as told', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'smsbower')
  const bought = await buy(t)
  const { rows } = await t.ctx.db.query<{ reference: string; phone: string }>({
    text: 'SELECT reference, phone FROM resold_orders',
  })
  const [order] = rows
  await t.ctx.db.query({ text: `UPDATE activations SET attempt = 9` })
  const sms = { supplierId: field.supplier.id, messageId: 'x', sender: '', text: '48213', toldCode: '48213' }
  await receiveSms(t.ctx, { ...sms, phone: order?.phone ?? '', reference: order?.reference ?? '' })
  expect((await bought.row())?.state).toBe('waiting')
  await t.ctx.db.query({ text: `UPDATE activations SET attempt = 1` })
  await handOverLeft(t.ctx, { since: new Date(0) })
  expect(await bought.row()).toMatchObject({ state: 'received', code: '48213' })
})

test('OP-1: a code in the same look as an advert is taken, and nothing ends', async () => {
  await using t = await startTestApp()
  await using five = await addFiveSim(t, { pollSeconds: 0.2 })
  const bought = await buy(t)
  five.house.sender = 'AD7'
  five.house.send(ADVERT)
  five.house.sender = 'Telegram'
  five.house.send('Telegram code: 48213')
  await inState(bought, 'received')
  expect(await bought.row()).toMatchObject({ code: '48213', money: 'captured' })
  expect(await sumLosses(t.ctx.db, five.supplier.id)).toEqual({ codes: 0n, micros: 0n })
})

test('OP-1: 5sim: an advert is cancelled there, not banned; what 5sim keeps is our loss', async () => {
  await using t = await startTestApp()
  await using five = await addFiveSim(t)
  const bought = await buy(t)
  five.house.sender = 'AD7'
  five.house.send(ADVERT)
  await inState(bought, 'used')
  await t.runJobs()
  const ends = five.house.asked.map(({ path }) => path.split('/')[2]).filter((call) => call !== 'check')
  expect(ends.filter((call) => call === 'cancel' || call === 'ban' || call === 'finish')).toEqual(['cancel', 'finish'])
  expect(await moneyOf(t, bought.buyer)).toEqual(PAID_NOTHING)
  expect(await sumLosses(t.ctx.db, five.supplier.id)).toEqual({ codes: 1n, micros: 12_500_000n })
  await rollUp(t.ctx)
  const pair = { supplierId: five.supplier.id, serviceCode: 'tg', countryId: 2, userId: bought.userId }
  expect(routeBookOf(t.ctx).countsOf(pair, t.clock.now())).toMatchObject({ codes: 0, failures: 1 })
  await expectBooksRight(t.ctx)
  expect(five.house.complaints).toEqual([])
})

test('OP-1: a code that comes after the advert, before the other is told, reaches nobody (decision 0011)', async () => {
  await using t = await startTestApp()
  await using five = await addFiveSim(t)
  const bought = await buy(t)
  five.house.sender = 'AD7'
  five.house.send(ADVERT)
  await inState(bought, 'used')
  five.house.sender = 'Telegram'
  five.house.send('Telegram code: 48213')
  await t.runJobs()
  await vi.waitUntil(async () => (await messagesOf(t)).length === 2, { timeout: 10_000 })
  expect((await messagesOf(t))[1]).toMatchObject({ given: 'late', withheld: true })
  expect(await bought.row()).toMatchObject({ state: 'used', code: null, money: 'released' })
  expect((await sumLosses(t.ctx.db, five.supplier.id)).codes).toBe(1n)
})

test('OP-1: a crash between the message and its end loses nothing: the next look judges it again', async () => {
  await using t = await startTestApp()
  await using five = await addFiveSim(t)
  const bought = await buy(t)
  await five.supplier.stop()
  const { rows } = await t.ctx.db.query<{ reference: string; phone: string; id: string }>({
    text: 'SELECT reference, phone, activation_id AS id FROM resold_orders',
  })
  const [order] = rows
  five.house.sender = 'AD7'
  five.house.send(ADVERT)
  const [sold] = five.house.sold.values()
  const [message] =
    readOrder({ ...sold, created_at: sold?.madeAt, phone: sold?.phone, status: 'RECEIVED' })?.messages() ?? []
  const sms = { supplierId: five.supplier.id, phone: order?.phone ?? '', sender: 'AD7', text: ADVERT }
  const stored = { ...sms, messageId: `${order?.id}:${message?.id}`, reference: order?.reference ?? '' }
  expect(await receiveSms(t.ctx, stored)).toBe('junk')
  expect((await bought.row())?.state).toBe('waiting')
  const { url, key } = five.house
  const settings = { url, key, currency: 'rub', privateHost: true, callsPerSecond: 100, pollSeconds: 0.02 }
  const row = { id: five.supplier.id, code: 'five', kind: 'five-sim', settings }
  const next = createFiveSimSupplier(t.ctx, row)
  await suppliersOf(t.ctx).replace(next, 2)
  await inState(bought, 'used')
  await t.runJobs()
  expect(await messagesOf(t)).toHaveLength(1)
  expect((await sumLosses(t.ctx.db, five.supplier.id)).codes).toBe(1n)
  await next.stop()
})

test('OP-1: a notice costs its buyer nothing and waits; unpaid at its end it is the same loss', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'hero-sms')
  const bought = await buy(t)
  field.house.send('Telegram: new sign-in from Berlin')
  await vi.waitUntil(async () => (await bought.row())?.notice_at != null, { timeout: 10_000 })
  expect(await bought.row()).toMatchObject({ state: 'waiting', money: 'held' })
  t.clock.advance(120_000)
  await cancelActivation(t.ctx, bought)
  await t.runJobs()
  expect([...field.house.sold.values()].map(({ state }) => state)).toEqual(['finished'])
  expect(await moneyOf(t, bought.buyer)).toEqual(PAID_NOTHING)
  expect((await sumLosses(t.ctx.db, field.supplier.id)).codes).toBe(1n)
  await expectBooksRight(t.ctx)
})

test('OP-1: a notice whose order the other ends first is the same loss', async () => {
  await using t = await startTestApp()
  await using field = await addField(t, 'hero-sms')
  const bought = await buy(t)
  field.house.send('Telegram: new sign-in from Berlin')
  await vi.waitUntil(async () => (await bought.row())?.notice_at != null, { timeout: 10_000 })
  for (const sold of field.house.sold.values()) sold.state = 'finished'
  await inState(bought, 'used')
  await t.runJobs()
  expect(await moneyOf(t, bought.buyer)).toEqual(PAID_NOTHING)
  expect((await sumLosses(t.ctx.db, field.supplier.id)).codes).toBe(1n)
})
