import { expect, test } from 'vitest'
import { startTestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { catalogOf } from './catalog-index.ts'
import { loadCatalog } from './load-catalog.ts'
import { refreshOffers } from './refresh-offers.ts'

test('a load that has read the prices before a change is not installed after one that has read them later', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  await refreshOffers(t.ctx, supplier)
  const price = () => catalogOf(t.ctx).pair('tg', 2)?.prices.rub
  const before = price()
  const held = Promise.withResolvers<void>()
  const reading = Promise.withResolvers<void>()
  const { db } = t.ctx
  const slow: typeof db = Object.create(db, {
    query: {
      value: async (query: Parameters<typeof db.query>[0]) => {
        if (query.text.includes('outcome_hours')) {
          reading.resolve()
          await held.promise
        }
        return db.query(query)
      },
    },
  })
  const earlier = loadCatalog({ ...t.ctx, db: slow })
  await reading.promise
  expect(await typed(t.database, 'price:set', '--margin', '300', '--yes', ...WHY)).toMatchObject({ code: 0 })
  let asked = 0
  const counted: typeof db = Object.create(db, {
    query: {
      value: (query: Parameters<typeof db.query>[0]) => {
        asked += 1
        return db.query(query)
      },
    },
  })
  const later = loadCatalog({ ...t.ctx, db: counted })
  await new Promise((resolve) => setImmediate(resolve))
  expect(asked).toBe(0)
  held.resolve()
  await Promise.all([earlier, later])
  expect(price()).not.toBe(before)
  const settled = price()
  await loadCatalog(t.ctx)
  expect(price()).toBe(settled)
})
