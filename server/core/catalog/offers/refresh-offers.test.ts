import { expect, test, vi } from 'vitest'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Offer } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { followChanges } from '#server/programs/boot/follow-changes.ts'
import { createFakeSupplier, type FakeSupplier, fakeOffer } from '#test/fakes/fake-supplier.ts'
import { openBank } from '#test/fakes/sim-bank/open-bank.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { catalogOf } from './catalog-index.ts'
import { refreshOffers } from './refresh-offers.ts'
import { createRefreshSchedule, refreshSoon } from './refresh-schedule.ts'

const offer = (operator: string, stock = 100): Offer => ({ ...fakeOffer, operator, stock })

async function stored(t: TestApp): Promise<string[]> {
  const { rows } = await t.ctx.db.query<{ operator: string; stock: number }>({
    text: 'SELECT operator, stock FROM offers ORDER BY operator',
  })
  return rows.map(({ operator, stock }) => `${operator} ${stock}`)
}

const shown = (t: TestApp) => (catalogOf(t.ctx).pair('tg', 2)?.offers ?? []).map(({ operator }) => operator).toSorted()

function watchWrites(t: TestApp): { ctx: Context; writes: string[]; fail: (isFailing: boolean) => void } {
  const writes: string[] = []
  let isFailing = false
  const db: Pick<Context['db'], 'query'> = {
    query: (query) => {
      if (query.text.includes('INSERT INTO offers')) {
        writes.push(query.text.includes('$goneServices') ? 'changes' : 'all')
        if (isFailing) return Promise.reject(new Error('the disk is full'))
      }
      return t.ctx.db.query(query)
    },
  }
  // The cast is needed because Object.create returns any; all other properties come from the real context.
  const ctx = Object.create(t.ctx, { db: { value: db } }) as Context
  const fail = (to: boolean) => {
    isFailing = to
  }
  return { ctx, writes, fail }
}

test('after the first list only what is different is stored; a list that is the very same is not even read', async () => {
  await using t = await startTestApp()
  const fake = await t.addFake('fake', [offer('altel'), offer('beeline')])
  const { ctx, writes } = watchWrites(t)
  expect(await stored(t)).toEqual(['altel 100', 'beeline 100'])
  fake.offers = [offer('altel', 5), offer('tele2')]
  await refreshOffers(ctx, fake)
  expect(await stored(t)).toEqual(['altel 5', 'tele2 100'])
  expect(shown(t)).toEqual(['altel', 'tele2'])
  await refreshOffers(ctx, fake)
  fake.offers = []
  await refreshOffers(ctx, fake)
  expect(await stored(t)).toEqual([])
  const list = [offer('altel')]
  fake.listOffers = async () => list
  await refreshOffers(ctx, fake)
  list.push(offer('beeline'))
  await refreshOffers(ctx, fake)
  expect(await stored(t)).toEqual(['altel 100'])
  expect(writes).toEqual(['changes', 'changes', 'changes'])
})

test('what could not be stored is stored whole by the next list', async () => {
  await using t = await startTestApp()
  const fake = await t.addFake('fake', [offer('altel')])
  const { ctx, writes, fail } = watchWrites(t)
  fake.offers = [offer('beeline')]
  fail(true)
  await expect(refreshOffers(ctx, fake)).rejects.toThrow('the disk is full')
  fail(false)
  await refreshOffers(ctx, fake)
  expect(await stored(t)).toEqual(['beeline 100'])
  expect(writes).toEqual(['changes', 'all'])
})

test('a link that comes back shows the same list again', async () => {
  await using t = await startTestApp()
  const list = [offer('altel')]
  const fake = await t.addFake('fake', list)
  let up = true
  const linked = Object.assign(fake, { listOffers: async () => list, link: () => ({ up, since: t.clock.now() }) })
  await refreshOffers(t.ctx, linked)
  up = false
  await refreshOffers(t.ctx, linked)
  expect([shown(t), await stored(t)]).toEqual([[], ['altel 100']])
  up = true
  await refreshOffers(t.ctx, linked)
  expect(shown(t)).toEqual(['altel'])
})

async function watchTaking(t: TestApp, work: () => Promise<void>, onTurn: (seen: number) => void = () => undefined) {
  const seen = new Set<number>()
  let isOver = false
  const look = () => {
    if (isOver) return
    const count = catalogOf(t.ctx).pairsOfCountry(2).size
    seen.add(count)
    onTurn(count)
    setImmediate(look)
  }
  setImmediate(look)
  await work()
  isOver = true
  return [...seen].toSorted((a, b) => a - b)
}

async function manyOffers(t: TestApp): Promise<Offer[]> {
  const codes = [...catalogOf(t.ctx).services.keys()].slice(0, 500)
  const operators = Array.from({ length: 20 }, (_, place) => `"o{\\${place}`)
  return codes.flatMap((serviceCode) => operators.map((operator) => ({ ...fakeOffer, serviceCode, operator })))
}

test('others have their turn while a long list is taken; a link that is lost meanwhile hides all of it', async () => {
  await using t = await startTestApp()
  const fake = await t.addFake('fake', [])
  let up = true
  const linked = Object.assign(fake, { link: () => ({ up, since: t.clock.now() }) })
  const many = await manyOffers(t)
  expect(many).toHaveLength(10_000)
  fake.offers = many
  const seen = await watchTaking(t, () => refreshOffers(t.ctx, linked))
  expect(seen.length).toBeGreaterThanOrEqual(10)
  expect([seen.at(0), seen.at(-1)]).toEqual([0, 500])
  expect((await stored(t)).length).toBe(10_000)
  fake.offers = many.slice(20).toReversed()
  const down = async (seenNow: number) => {
    if (!up || seenNow === 500) return
    up = false
    await refreshOffers(t.ctx, linked)
  }
  const hidings: Promise<void>[] = []
  await watchTaking(
    t,
    () => refreshOffers(t.ctx, linked),
    (seenNow) => hidings.push(down(seenNow)),
  )
  await Promise.all(hidings)
  expect([up, catalogOf(t.ctx).pairsOfCountry(2).size]).toEqual([false, 0])
  up = true
  await refreshOffers(t.ctx, linked)
  expect(catalogOf(t.ctx).pairsOfCountry(2).size).toBe(499)
  expect((await stored(t)).length).toBe(9_980)
})

const LIMIT = { timeout: 10_000, interval: 10 }

function hang(fake: FakeSupplier): { asked: () => number; answer: () => void } {
  const { promise, resolve } = Promise.withResolvers<Offer[]>()
  let asked = 0
  fake.listOffers = () => {
    asked += 1
    return promise
  }
  return { asked: () => asked, answer: () => resolve([offer('late')]) }
}

test('a supplier that hangs delays no other: each has a schedule of its own, and a stop waits for none', async () => {
  await using t = await startTestApp()
  const fakes: FakeSupplier[] = []
  for (let place = 0; place < 12; place += 1) fakes.push(await t.addFake(`s${place}`, [offer(`of-${place}`)]))
  const slow = fakes.slice(0, 7).map(hang)
  const quick = fakes.slice(7)
  let nowMs = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const schedule = createRefreshSchedule(t.ctx)
  try {
    schedule.look()
    expect(slow.map(({ asked }) => asked())).toEqual([0, 0, 0, 0, 0, 0, 0])
    for (let turn = 1; turn <= 2; turn += 1) {
      for (const [place, fake] of quick.entries()) fake.offers = [offer(`turn-${turn}-${place}`)]
      await vi.waitUntil(() => {
        nowMs += 15_000
        schedule.look()
        return shown(t).filter((name) => name.startsWith(`turn-${turn}`)).length === 5
      }, LIMIT)
      expect(slow.map(({ asked }) => asked())).toEqual([1, 1, 1, 1, 1, 1, 1])
    }
    for (const { answer } of slow) answer()
    await vi.waitUntil(() => shown(t).filter((name) => name === 'late').length === 7, LIMIT)
    const again = fakes.slice(0, 7).map(hang)
    const later = () => {
      nowMs += 15_000
      schedule.look()
      return again.map(({ asked }) => asked()).toSorted()
    }
    await vi.waitUntil(() => later().join('') === '0001111', LIMIT)
    for (let turn = 0; turn < 3; turn += 1) expect(later()).toEqual([0, 0, 0, 1, 1, 1, 1])
    await schedule.stop()
    expect(later()).toEqual([0, 0, 0, 1, 1, 1, 1])
  } finally {
    vi.restoreAllMocks()
    await schedule.stop()
  }
})

test('a change by the command line has all suppliers asked at once, and waits for none that hangs', async () => {
  await using t = await startTestApp()
  const [one, other] = [await t.addFake('one', [offer('one')]), await t.addFake('other', [offer('other')])]
  const schedule = createRefreshSchedule(t.ctx)
  const look = await followChanges(t.ctx, async () => schedule.hasten())
  const hanging = hang(one)
  other.offers = [offer('fresh')]
  for (const price of ['41', '42']) {
    const set = ['price:set', '--service', 'tg', '--price', price, '--currency', 'rub', '--yes']
    expect(await typed(t.database, ...set, ...WHY)).toMatchObject({ code: 0 })
    await look()
    expect(catalogOf(t.ctx).pair('tg', 2)?.prices.rub).toBe(BigInt(price) * 1_000_000n)
  }
  await vi.waitUntil(() => shown(t).join() === 'fresh,one', LIMIT)
  expect(hanging.asked()).toBe(1)
  hanging.answer()
  await vi.waitUntil(() => hanging.asked() === 2 && shown(t).includes('late'), LIMIT)
  await schedule.stop()
})

test('while the list of a bank hangs, its next settings are asked for theirs, and no former currency is shown', async () => {
  await using t = await startTestApp()
  await using bank = await openBank(t)
  const currencies = () => (catalogOf(t.ctx).pair('tg', 2)?.offers ?? []).map(({ currency }) => currency)
  expect(currencies()).toEqual(['rub'])
  const schedule = createRefreshSchedule(t.ctx)
  const look = await followChanges(t.ctx, async () => schedule.hasten())
  const answer = Promise.withResolvers<void>()
  const lists = () => bank.house.asked.filter(({ action }) => action === 'GET_SERVICES').length
  const [before, { onAsk }] = [lists(), bank.house]
  bank.house.onAsk = () => answer.promise.then(() => undefined)
  schedule.hasten()
  await vi.waitUntil(() => lists() > before, LIMIT)
  bank.house.onAsk = onAsk
  expect(await typed(t.database, 'supplier:set', 'bank', 'currency=usd', ...WHY)).toMatchObject({ code: 0 })
  await look()
  expect(currencies()).toEqual([])
  await vi.waitUntil(() => currencies().join() === 'usd', LIMIT)
  expect(t.log.lines.map(({ sentence }) => sentence)).not.toContain('a supplier did not list its numbers')
  answer.resolve()
  await schedule.stop()
  expect(currencies()).toEqual(['usd'])
})

test('suppliers that were started with other settings are asked at once, though all places are taken by what they replaced', async () => {
  await using t = await startTestApp()
  const codes = Array.from({ length: 9 }, (_, place) => `s${place}`)
  const former: FakeSupplier[] = []
  for (const code of codes) former.push(await t.addFake(code, [offer('former')]))
  const hanging = former.map(hang)
  const schedule = createRefreshSchedule(t.ctx)
  schedule.hasten()
  expect(hanging.map(({ asked }) => asked())).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 0])
  for (const { id, code } of former) {
    await suppliersOf(t.ctx).replace(createFakeSupplier({ id, code, offers: [offer(`next-${code}`)] }), 2)
  }
  schedule.hasten()
  const next = codes.map((code) => `next-${code}`)
  await vi.waitUntil(() => shown(t).join() === next.join(), LIMIT)
  for (const { answer } of hanging) answer()
  await schedule.stop()
  expect([shown(t), hanging.at(-1)?.asked()]).toEqual([next, 0])
})

test('whoever wants all refreshed waits for those that answer, and the slow ones go on', async () => {
  await using t = await startTestApp()
  const [one, other] = [await t.addFake('one', [offer('one')]), await t.addFake('other', [offer('other')])]
  const hanging = hang(one)
  other.offers = [offer('fresh')]
  await refreshSoon(t.ctx, suppliersOf(t.ctx).all(), 1)
  await vi.waitUntil(() => shown(t).join() === 'fresh,one', LIMIT)
  hanging.answer()
  await t.ctx.background.idle()
  expect(shown(t)).toEqual(['fresh', 'late'])
})
