import { expect, test } from 'vitest'
import { replaceUnmapped } from '#server/adapters/shared/resold/queries/codes.ts'
import { openTestPool } from '#test/books/books.ts'
import { openFiveSimHouse } from '#test/fakes/five-sim/five-sim-house.ts'
import { CLI_SECRET_KEY, typedIn, WHY } from '#test/harness/typed.ts'

async function openShop() {
  await using stack = new AsyncDisposableStack()
  const pool = stack.use(await openTestPool())
  const house = stack.use(await openFiveSimHouse(() => new Date()))
  const environment = { DATABASE_URL: pool.connectionString, SECRET_KEY: CLI_SECRET_KEY }
  const settings = { url: house.url, key: house.key, currency: 'rub', privateHost: true }
  const kept = stack.move()
  const type = (...argv: string[]) => typedIn(environment, ...argv)
  return {
    pool,
    house,
    type,
    add: (change: object) => {
      const given = JSON.stringify({ ...settings, ...change })
      return type('supplier:add', 'five-sim', '--code', 'five', '--settings', given, ...WHY)
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

test('supplier:add, test, map and unmapped know five-sim, and buy nothing', async () => {
  await using shop = await openShop()
  const { pool, house, type } = shop
  expect(await shop.add({})).toMatchObject({ code: 0 })
  const tested = await type('supplier:test', 'five')
  expect([tested.code, tested.out]).toEqual([
    0,
    `works  key and balance: 100.50 rub, rating 96
works  prices: 1 pairs to sell, 2 under codes that are unknown or left out, 0 unreadable
works  open activations: 0 open of the newest 0
`,
  ])
  const map = (...argv: string[]) => type('supplier:map', 'five', ...argv, ...WHY)
  const sells = async () => /prices: (\d+) pairs/.exec((await type('supplier:test', 'five')).out)?.[1]
  expect(await map('service', 'unheardof', '--to', 'wa')).toMatchObject({ code: 0 })
  expect(await sells()).toBe('2')
  expect(await map('country', 'kazakhstan', '--leave-out')).toMatchObject({ code: 0 })
  expect(await sells()).toBe('0')
  expect(await map('country', 'kazakhstan')).toMatchObject({ code: 0 })
  expect(await sells()).toBe('2')
  const { rows } = await pool.query<{ id: number }>({ text: `SELECT id FROM suppliers WHERE code = 'five'` })
  const unknown = [{ kind: 'country' as const, theirs: 'atlantis', offers: 1 }]
  await replaceUnmapped(pool, { supplierId: rows[0]?.id ?? 0, rows: unknown, now: new Date() })
  expect((await type('supplier:unmapped', 'five')).out).toBe('country atlantis: 1 offers\n')
  house.rating = 0
  expect(await type('supplier:test', 'five')).toMatchObject({
    code: 1,
    out: expect.stringContaining('the rating is 0'),
  })
  house.key = 'another'
  const refused = await type('supplier:test', 'five')
  expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('status 401')])
  expect(JSON.stringify(refused)).not.toContain('a-token')
  expect(house.sold.size).toBe(0)
  expect(house.complaints).toEqual([])
})

test('settings of five-sim are checked by name, and no secret is repeated', async () => {
  await using shop = await openShop()
  const fault = async (change: object) => (await shop.add(change)).err
  expect(await fault({ privateHost: false })).toContain('url: must begin with https://')
  expect(await fault({ url: 'https://5sim.net/v1?token=hush' })).toContain('must hold no query')
  expect(await fault({ key: 'two words hush' })).toMatch(/key: must be 1 to 4000 printable characters without spaces$/m)
  expect(await fault({ operators: 'some' })).toContain('operators: ')
  expect(await fault({ countries: ['Россия'] })).toContain('countries.0: must be 1 to 40')
  expect(await fault({ countries: ['russia'], products: ['telegram'] })).toContain('products: cannot stand beside')
  expect(await fault({ dialect: 'ringpost' })).toContain('dialect')
})
