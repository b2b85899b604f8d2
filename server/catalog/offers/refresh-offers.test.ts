import { expect, test } from 'vitest'
import type { Context } from '#server/context.ts'
import type { Offer } from '#server/suppliers/supplier.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { refreshOffers } from './refresh-offers.ts'

const offer = (operator: string, stock = 100): Offer => ({ ...fakeOffer, operator, stock })

async function stored(t: TestApp): Promise<string[]> {
  const { rows } = await t.ctx.db.query<{ operator: string; stock: number }>({
    text: 'SELECT operator, stock FROM offers ORDER BY operator',
  })
  return rows.map(({ operator, stock }) => `${operator} ${stock}`)
}

const shown = (t: TestApp) => (t.ctx.catalog.pair('tg', 2)?.offers ?? []).map(({ operator }) => operator).toSorted()

/** What writes offers, as it is sent. */
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
  // Everything else is the context's own. Object.create answers any.
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
