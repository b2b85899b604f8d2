import { readFile, writeFile } from 'node:fs/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toDecimal } from '#contract/money.ts'
import { DAY, HOUR } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { quote } from '#server/core/catalog/prices/quote.ts'
import { type PriceTerms, sellPrice } from '#server/core/catalog/rules/sell-price.ts'
import type { Offer } from '#server/core/suppliers/supplier.ts'
import { followChanges } from '#server/programs/boot/follow-changes.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { typed, WHY } from '#test/harness/typed.ts'

const TELEGRAM = ['--service', 'tg', '--country', '2']
const HEAD = 'service_id,country_id,margin_percent,price,currency,from,until'

const offer = (serviceCode: string, costMicros: bigint): Offer => ({
  serviceCode,
  countryId: 2,
  operator: 'altel',
  costMicros,
  currency: 'rub',
  stock: 5,
})

async function openShop(t: TestApp, offers: Offer[] = [offer('tg', 10_000_000n)]) {
  await t.addFake('fake', offers)
  const look = await followChanges(t.ctx)
  const priceOf = (serviceCode: string, currency: 'rub' | 'usd' = 'rub') => {
    const found = quote(catalogOf(t.ctx), { serviceCode, countryId: 2, currency, operator: null })
    return typeof found === 'string' ? found : toDecimal(found.priceMicros)
  }
  return { look, priceOf }
}

test('a price for a time begins and ends by itself, and the one for good holds before and after', async () => {
  await using t = await startTestApp()
  const { look, priceOf } = await openShop(t)
  const from = new Date(Date.now() + DAY)
  const until = new Date(from.getTime() + DAY)
  const set = (...argv: string[]) => typed(t.database, 'price:set', ...TELEGRAM, ...argv, ...WHY)
  const period = ['--from', from.toISOString(), '--until', until.toISOString()]
  expect(await set('--margin', '20', ...period)).toMatchObject({ code: 0 })
  expect(await set('--margin', '40')).toMatchObject({ code: 0 })
  const { out } = await typed(t.database, 'price:list')
  expect(out).toContain(`cost and 20 % from ${from.toISOString()} until ${until.toISOString()}`)
  await look()
  expect(priceOf('tg')).toBe('14.00')
  t.clock.advance(from.getTime() - t.clock.now().getTime() + HOUR)
  await look()
  expect(priceOf('tg')).toBe('12.00')
  t.clock.advance(DAY)
  await look()
  expect(priceOf('tg')).toBe('14.00')
})

test('a rule for good replaces one that has begun, and not one that ends; removing one by its start leaves the others', async () => {
  await using t = await startTestApp()
  const { look, priceOf } = await openShop(t)
  const run = (...argv: string[]) => typed(t.database, ...argv, ...TELEGRAM, ...WHY)
  const until = new Date(Date.now() + DAY).toISOString()
  const from = new Date(Date.now() + 2 * DAY).toISOString()
  expect(await run('price:set', '--margin', '20', '--until', until)).toMatchObject({ code: 0 })
  expect(await run('price:set', '--margin', '25', '--from', from)).toMatchObject({ code: 0 })
  const { out } = await run('price:set', '--margin', '35')
  expect(out).toContain(
    `cost and 35 % (was cost and 20 % until ${until}). Before it, cost and 20 % holds until ${until}.`,
  )
  t.clock.advance(Date.now() - t.clock.now().getTime() + HOUR)
  await look()
  expect(priceOf('tg')).toBe('12.00')
  expect(await run('price:remove', '--from', from)).toMatchObject({
    code: 0,
    out: expect.stringContaining('the others hold'),
  })
  expect(await run('price:remove', '--from', from)).toMatchObject({ code: 1 })
  t.clock.advance(3 * DAY)
  await look()
  expect(priceOf('tg')).toBe('13.50')
})

test('a change beyond 30 % is asked about once more; a preview says what would change and changes nothing', async () => {
  await using t = await startTestApp()
  const { look, priceOf } = await openShop(t, [
    offer('tg', 10_000_000n),
    offer('wa', 1_000_000n),
    offer('vk', 50_000_000n),
  ])
  const everything = ['--price', '12', '--currency', 'rub']
  const { out } = await typed(t.database, 'price:preview', ...everything)
  expect(out.split('\n')).toEqual([
    'wa in country 2 from 1.30 to 12.00 rub (+824 %)',
    'vk in country 2 from 65.00 to 12.00 rub (-82 %, below its cost, so not sold)',
    'tg in country 2 from 13.00 to 12.00 rub (-8 %)',
    'Every service in every country: 12.00 rub would change 3 of 3 prices: 1 up, 2 down, 1 below cost. Nothing was changed.',
    '',
  ])
  const asked = await typed(t.database, 'price:set', '--margin', '70', ...WHY)
  expect(asked).toMatchObject({
    code: 1,
    err: expect.stringContaining('3 of the 3 prices change by more than 30 %, most tg'),
  })
  await look()
  expect(priceOf('tg')).toBe('13.00')
  expect(await typed(t.database, 'price:set', '--margin', '69', ...WHY)).toMatchObject({ code: 0 })
  expect(await typed(t.database, 'price:set', '--margin', '5', '--yes', ...WHY)).toMatchObject({ code: 0 })
  await look()
  expect(priceOf('tg')).toBe('10.50')
  expect(await typed(t.database, 'price:remove', ...WHY)).toMatchObject({ code: 0 })
})

test('rules go out and in as CSV, all or none, and what a spreadsheet breaks is told by its line', async () => {
  await using t = await startTestApp()
  await using folder = await temporaryFolder()
  const { look, priceOf } = await openShop(t, [offer('tg', 10_000_000n), offer('wa', 1_000_000n)])
  const file = folder.path('prices.csv')
  const take = async (text: string, ...argv: string[]) => {
    await writeFile(file, text)
    return typed(t.database, 'price:import', file, ...argv, ...WHY)
  }
  const from = new Date(Date.now() + DAY).toISOString()
  const rules = `${HEAD}\r\ntg,2,20,,,,\r\nwa,,,1.25,rub,,\r\n,,40,,,${from},\r\n`
  expect(await take(rules)).toMatchObject({ code: 0, out: expect.stringContaining('3 price rules are set: 2 of 2') })
  expect(await typed(t.database, 'price:export', folder.path('out.csv'))).toMatchObject({ code: 0 })
  expect(await readFile(folder.path('out.csv'), 'utf8')).toBe(`\uFEFF${rules}`)
  await look()
  expect([priceOf('tg'), priceOf('wa')]).toEqual(['12.00', '1.25'])

  const bad = `${HEAD}\ntg,2,20,,,,\ntg,2,30,,,,\nwa,,x,,,,\nwa,,,1,5,,\n`
  const { err } = await take(bad)
  expect(err).toContain(
    'line 3: the same as line 2; line 4: --margin is 0 to 10000 per cent; line 5: --currency is one of',
  )
  expect(await take(`${HEAD}\nzzz,,5,,,,\n,999,5,,,,\n`)).toMatchObject({
    code: 1,
    err: expect.stringContaining('names what there is not: country 999, service zzz'),
  })
  expect(await take(`${HEAD}\ntg,2,"20,,,,\n`)).toMatchObject({ code: 1, err: expect.stringContaining('is not CSV') })
  expect(await take('service,price\n')).toMatchObject({ code: 1, err: expect.stringContaining('does not begin with') })
  expect(await take(`${HEAD}\n,,90,,,,\n`, '--replace')).toMatchObject({
    code: 1,
    err: expect.stringContaining('add --yes'),
  })
  await look()
  expect([priceOf('tg'), priceOf('wa')]).toEqual(['12.00', '1.25'])
  expect(await take(`${HEAD}\n,,90,,,,\n`, '--replace', '--yes')).toMatchObject({ code: 0 })
  await look()
  expect([priceOf('tg'), priceOf('wa')]).toEqual(['19.00', '1.90'])
})

test('pleasant figures are above the exact ones, by at most 5 %, and a price as written stays', async () => {
  await using t = await startTestApp()
  const { look, priceOf } = await openShop(t, [
    offer('tg', 10_100_000n),
    offer('wa', 1_010_000n),
    offer('vk', 100_900_000n),
  ])
  await typed(t.database, 'price:set', '--service', 'wa', '--price', '1.31', '--currency', 'rub', ...WHY)
  expect(await typed(t.database, 'price:round', 'rub', 'pleasant', ...WHY)).toMatchObject({ code: 0 })
  await look()
  expect(['tg', 'wa', 'vk'].map((code) => priceOf(code))).toEqual(['13.50', '1.31', '135.00'])
  expect(await typed(t.database, 'price:round', 'rub', 'exact', ...WHY)).toMatchObject({ code: 0 })
  await look()
  expect(['tg', 'wa', 'vk'].map((code) => priceOf(code))).toEqual(['13.13', '1.31', '131.17'])
  const plain = { rates: { rubMicrosPerUsd: 90_000_000n }, rounding: { rub: 'exact', usd: 'exact' } } as const
  const pleasant = { ...plain, rounding: { rub: 'pleasant', usd: 'pleasant' } } as const
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 12n), fc.nat(300), fc.constantFrom('rub', 'usd'), (micros, percent, currency) => {
      const price = (terms: PriceTerms) =>
        sellPrice({ micros, currency: 'rub' }, { kind: 'margin', percent }, currency, terms)
      const [exact, rounded] = [price(plain), price(pleasant)]
      expect(rounded).toBeGreaterThanOrEqual(exact)
      expect(rounded * 100n).toBeLessThanOrEqual(exact * 105n)
    }),
  )
})
