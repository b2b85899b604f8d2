import { expect, test } from 'vitest'
import { openTestPool } from '#test/books/books.ts'
import { openFieldHouse } from '#test/fakes/handler-api/field-house.ts'
import { CLI_SECRET_KEY, typedIn, WHY } from '#test/harness/typed.ts'

async function openShop() {
  await using stack = new AsyncDisposableStack()
  const pool = stack.use(await openTestPool())
  const house = stack.use(await openFieldHouse('sms-activate', () => new Date()))
  const environment = { DATABASE_URL: pool.connectionString, SECRET_KEY: CLI_SECRET_KEY }
  const settings = { url: house.url, key: house.key, dialect: 'sms-activate', currency: 'rub', privateHost: true }
  const kept = stack.move()
  return {
    pool,
    house,
    settings,
    type: (...argv: string[]) => typedIn(environment, ...argv),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

test('supplier:test says what works, and buys nothing; what is wrong makes it fail', async () => {
  await using shop = await openShop()
  const { house, settings, type } = shop
  const add = ['supplier:add', 'handler-api', '--code', 'field', '--settings', JSON.stringify(settings), ...WHY]
  expect(await type(...add)).toMatchObject({ code: 0 })
  const { code, out } = await type('supplier:test', 'field')
  expect([code, out]).toEqual([
    0,
    `works  key and balance: 100.50 rub
works  prices: 1 pairs to sell, 2 under codes that are unknown or left out, 0 unreadable
works  open activations: 0 open
works  rentals: 1 countries to rent in for 4 hours, 0 rented
`,
  ])
  house.key = 'another'
  const refused = await type('supplier:test', 'field')
  expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('FAILS  key and balance')])
  expect(refused.out).toContain('BAD_KEY')
  expect(JSON.stringify(refused)).not.toContain(settings.key)
  expect(house.sold.size).toBe(0)
  expect(new Set(house.asked.map(({ action }) => action))).toEqual(
    new Set(['getBalance', 'getPrices', 'getActiveActivations', 'getRentServicesAndCountries', 'getRentList']),
  )
  expect(await type('supplier:test', 'nobody')).toMatchObject({ code: 1 })
})

test('supplier:map names a code of theirs, leaves one out, and takes both back; unknown names are refused', async () => {
  await using shop = await openShop()
  const { settings, type, house } = shop
  await type('supplier:add', 'handler-api', '--code', 'field', '--settings', JSON.stringify(settings), ...WHY)
  const map = (...argv: string[]) => type('supplier:map', 'field', ...argv, ...WHY)
  const sells = async () => /prices: (\d+) pairs/.exec((await type('supplier:test', 'field')).out)?.[1]
  expect(await map('service', 'xx1', '--to', 'tg')).toMatchObject({ code: 0 })
  expect(await sells()).toBe('1')
  expect(await map('country', '999', '--to', '2')).toMatchObject({ code: 0 })
  expect(await map('service', 'xx1')).toMatchObject({ code: 0 })
  expect(await sells()).toBe('1')
  expect(await map('service', 'tg', '--leave-out')).toMatchObject({ code: 0 })
  expect(await sells()).toBe('0')
  expect(await map('service', 'xx1', '--to', 'nosuch')).toMatchObject({
    code: 1,
    err: expect.stringContaining('no service nosuch'),
  })
  const again = await map('service', 'tg', '--leave-out')
  expect([again.code, again.out]).toEqual([0, 'The service tg of field is not sold, as it was already.\n'])
  expect((await type('audit:list', '--command', 'supplier:map')).out.split('\n').filter(Boolean)).toHaveLength(4)
  expect(await map('country', '999', '--to', '77777')).toMatchObject({
    code: 1,
    err: expect.stringContaining('named by its number'),
  })
  expect(await map('place', 'xx1')).toMatchObject({ code: 2 })
  expect(await map('service', "x'; --")).toMatchObject({ code: 2 })
  expect(house.complaints).toEqual([])
})

test('settings are checked by name, and no secret is repeated', async () => {
  await using shop = await openShop()
  const { settings, type } = shop
  const add = async (change: object) => {
    const given = JSON.stringify({ ...settings, ...change })
    return (await type('supplier:add', 'handler-api', '--code', 'field', '--settings', given, ...WHY)).err
  }
  expect(await add({ privateHost: false })).toContain('url: must begin with https://')
  expect(await add({ url: 'https://host/x?api_key=hush' })).toContain('must hold no query')
  expect(await add({ dialect: 'klingon' })).toContain('dialect: ')
  expect(await add({ key: 'two words hush' })).toContain('key: must be 1 to 200 printable')
  expect(await add({ operator: 'any' })).toContain('operator: must not be "any"')
  expect(await add({ key: undefined, dialct: 'daisy' })).toMatch(/key: is missing; dialct: there is no such setting$/m)
  expect(await add({ callsPerSecond: 0, pollSeconds: 100 })).toMatch(/callsPerSecond: .*; pollSeconds: /)
  expect(await add({ key: 'two words hush' })).not.toContain('hush')
})
