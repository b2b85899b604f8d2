import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Offer, RentOffer } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { followSuppliers } from '#server/programs/boot/start-suppliers.ts'
import { lockForRemoval, removeSupplierRow } from '#server/programs/cli/queries/suppliers.ts'
import { count } from '#test/builders/activation-rows.ts'
import { WAITING_SESSIONS } from '#test/builders/held-row.ts'
import { fakeRentOffer } from '#test/fakes/fake-rent.ts'
import { createFakeSupplier, type FakeSupplier, fakeOffer } from '#test/fakes/fake-supplier.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { catalogOf } from './catalog-index.ts'
import { hideOffers, loadOffers, refreshOffers } from './refresh-offers.ts'
import { rentCatalogOf } from './rent-index.ts'
import { saveChanges } from './save-queries.ts'

const offers = (stock: number): Offer[] => [{ ...fakeOffer, stock }]
const rents = (stock: number): RentOffer[] => [{ ...fakeRentOffer, stock }]

type Table = 'offers' | 'rent_offers'

async function stored(t: TestApp, table: Table): Promise<number[]> {
  return (await t.ctx.db.query<{ stock: number }>({ text: `SELECT stock FROM ${table}` })).rows.map(
    ({ stock }) => stock,
  )
}

function shown({ ctx }: TestApp, table: Table): number[] {
  const pair = table === 'offers' ? catalogOf(ctx).pair('tg', 2) : rentCatalogOf(ctx).pair('full', 2)
  return (pair?.offers ?? []).map(({ stock }) => stock)
}

function give(fake: FakeSupplier, table: Table, stock: number): { asked: () => Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const list =
    <Listed>(listed: Listed[]) =>
    async () => {
      resolve()
      return listed
    }
  if (table === 'offers') fake.listOffers = list(offers(stock))
  else fake.rent.listRentOffers = list(rents(stock))
  return { asked: () => promise.then(() => nextTurn()) }
}

function holdFirstSave(t: TestApp, table: Table) {
  const begun = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  let saves = 0
  const db: Pick<Context['db'], 'query'> = {
    query: async (query) => {
      if (new RegExp(`INSERT INTO ${table}\\s`).test(query.text)) {
        saves += 1
        begun.resolve()
        if (saves === 1) await gate.promise
      }
      return t.ctx.db.query(query)
    },
  }
  const ctx = Object.create(t.ctx, { db: { value: db } }) as Context
  return {
    ctx,
    saves: () => saves,
    begun: begun.promise,
    release: () => gate.resolve(),
    fail: () => gate.reject(new Error('the disk is full')),
  }
}

test.each<Table>(['offers', 'rent_offers'])(
  'while a list is saved the newest alone waits: index and table end with it (%s)',
  async (table) => {
    await using t = await startTestApp()
    const fake = await t.addFake('fake', offers(1), rents(1))
    const held = holdFirstSave(t, table)
    give(fake, table, 2)
    const saving = refreshOffers(held.ctx, fake)
    await held.begun
    const waiting: Promise<void>[] = []
    for (const stock of [3, 4]) {
      const { asked } = give(fake, table, stock)
      waiting.push(refreshOffers(held.ctx, fake))
      await asked()
    }
    held.release()
    await Promise.all([saving, ...waiting])
    expect([shown(t, table), await stored(t, table), held.saves()]).toEqual([[4], [4], 2])
  },
)

test('what waits for a save that fails is taken; rentals that could not be saved are saved by the same list', async () => {
  await using t = await startTestApp()
  const fake = await t.addFake('fake', offers(1), rents(1))
  for (const table of ['offers', 'rent_offers'] as const) {
    const held = holdFirstSave(t, table)
    give(fake, table, 2)
    const saving = expect(refreshOffers(held.ctx, fake)).rejects.toThrow('the disk is full')
    await held.begun
    const { asked } = give(fake, table, 2)
    const waiting = refreshOffers(held.ctx, fake)
    await asked()
    held.fail()
    await Promise.all([saving, waiting])
    expect([shown(t, table), await stored(t, table)]).toEqual([[2], [2]])
  }
})

test('a list that was asked for earlier and comes later is dropped; so is one that waited while its link went', async () => {
  await using t = await startTestApp()
  let up = true
  const fake = await t.addFake('fake', offers(1))
  const linked = Object.assign(fake, { link: () => ({ up, since: t.clock.now() }) })
  const late = hold(fake)
  const earlier = refreshOffers(t.ctx, linked)
  fake.listOffers = async () => offers(2)
  await refreshOffers(t.ctx, linked)
  late.answer(offers(3))
  await earlier
  expect([shown(t, 'offers'), await stored(t, 'offers')]).toEqual([[2], [2]])
  const held = holdFirstSave(t, 'offers')
  fake.listOffers = async () => offers(4)
  const saving = refreshOffers(held.ctx, linked)
  await held.begun
  const { asked } = give(fake, 'offers', 5)
  const waiting = refreshOffers(held.ctx, linked)
  await asked()
  up = false
  await refreshOffers(t.ctx, linked)
  held.release()
  await Promise.all([saving, waiting])
  expect([shown(t, 'offers'), await stored(t, 'offers')]).toEqual([[], [4]])
  up = true
  await refreshOffers(t.ctx, linked)
  expect([shown(t, 'offers'), await stored(t, 'offers')]).toEqual([[5], [5]])
})

function hold(fake: FakeSupplier): { answer: (list: Offer[]) => void } {
  const { promise, resolve } = Promise.withResolvers<Offer[]>()
  fake.listOffers = () => promise
  return { answer: resolve }
}

async function restart(t: TestApp, { id }: FakeSupplier, list: Offer[]): Promise<FakeSupplier> {
  const next = createFakeSupplier({ id, code: 'fake', offers: list })
  next.listOffers = async () => list
  await suppliersOf(t.ctx).replace(next, 2)
  return next
}

test('of a supplier that was started again only the new object is heard, whatever its former one says or saves', async () => {
  await using t = await startTestApp()
  const first = await t.addFake('fake', offers(1))
  const late = hold(first)
  const asked = refreshOffers(t.ctx, first)
  const second = await restart(t, first, offers(2))
  await refreshOffers(t.ctx, second)
  late.answer(offers(3))
  await asked
  Object.assign(first, { link: () => ({ up: false, since: t.clock.now() }) })
  await refreshOffers(t.ctx, first)
  expect([shown(t, 'offers'), await stored(t, 'offers')]).toEqual([[2], [2]])
  const held = holdFirstSave(t, 'offers')
  second.listOffers = async () => offers(4)
  const saving = refreshOffers(held.ctx, second)
  await held.begun
  const { asked: askedAgain } = give(second, 'offers', 5)
  const waiting = refreshOffers(held.ctx, second)
  await askedAgain()
  const third = await restart(t, first, offers(1))
  const loading = loadOffers(held.ctx, third.id)
  const fresh = refreshOffers(held.ctx, third)
  held.release()
  await Promise.all([saving, waiting, loading, fresh])
  expect([shown(t, 'offers'), await stored(t, 'offers')]).toEqual([[1], [1]])
  hideOffers(t.ctx, third.id)
  await refreshOffers(t.ctx, third)
  expect(shown(t, 'offers')).toEqual([1])
})

test('a supplier that is removed while its lists are being saved leaves no rows, and none are counted', async () => {
  await using t = await startTestApp()
  const fake = await t.addFake('fake', offers(1), rents(1))
  const rented = await t.addFake('rented', [], rents(1))
  const held = [holdFirstSave(t, 'offers'), holdFirstSave(t, 'rent_offers')] as const
  give(fake, 'offers', 2)
  give(rented, 'rent_offers', 2)
  const saving = [refreshOffers(held[0].ctx, fake), refreshOffers(held[1].ctx, rented)]
  await Promise.all(held.map(({ begun }) => begun))
  for (const code of ['fake', 'rented']) await remove(t, code)
  await followSuppliers(t.ctx)
  for (const { release } of held) release()
  await Promise.all(saving)
  expect([await stored(t, 'offers'), await stored(t, 'rent_offers')]).toEqual([[], []])
  expect([shown(t, 'offers'), shown(t, 'rent_offers')]).toEqual([[], []])
  // Earlier versions may have left offers of removed suppliers.
  await t.ctx.db.query({
    text: `INSERT INTO offers (supplier_id, service_code, country_id, operator, cost_micros, currency, stock, refreshed_at)
      VALUES ($1, 'tg', 2, 'altel', 1, 'rub', 1, now())`,
    values: [fake.id],
  })
  expect((await typed(t.database, 'service:list', '--search', 'Telegram')).out).toContain(' 0 offers')
  expect((await typed(t.database, 'country:list', '--search', 'Kazakhstan')).out).toContain(' 0 offers')
})

async function remove(t: TestApp, code: string): Promise<void> {
  await typed(t.database, 'supplier:pause', code, ...WHY)
  await t.ctx.db.query({
    text: `UPDATE suppliers SET paused_at = paused_at - interval '1 hour' WHERE code = $1`,
    values: [code],
  })
  expect(await typed(t.database, 'supplier:remove', code, ...WHY)).toMatchObject({ code: 0 })
}

const waitForLock = ({ ctx }: TestApp) => expect.poll(() => count(ctx, WAITING_SESSIONS)).toBeGreaterThan(0)

test('a removal waits for a save that has begun, and a save for a removal; a pause waits for none', async () => {
  await using t = await startTestApp()
  const [one, other] = [await t.addFake('one', offers(1)), await t.addFake('other', offers(1))]
  const { promise: saved, resolve: commit } = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const saving = transaction(t.ctx.db, async (tx) => {
    const put = [{ ...fakeOffer, operator: 'late' }]
    await saveChanges(tx, { supplierId: one.id, put, gone: [], now: t.clock.now() })
    begun.resolve()
    await saved
  })
  await begun.promise
  const pause = await typed(t.database, 'supplier:pause', 'one', ...WHY)
  const removing = transaction(t.ctx.db, async (tx) => {
    await lockForRemoval(tx, one.id)
    await removeSupplierRow(tx, { id: one.id, now: t.clock.now() })
  })
  await waitForLock(t)
  commit()
  await Promise.all([saving, removing])
  expect([pause.code, await count(t.ctx, `offers WHERE supplier_id = ${one.id}`)]).toEqual([0, 0])
  give(other, 'offers', 2)
  const refreshed = await transaction(t.ctx.db, async (tx) => {
    await lockForRemoval(tx, other.id)
    await removeSupplierRow(tx, { id: other.id, now: t.clock.now() })
    const work = refreshOffers(t.ctx, other)
    await waitForLock(t)
    return { work }
  })
  await refreshed.work
  expect(await stored(t, 'offers')).toEqual([])
})
