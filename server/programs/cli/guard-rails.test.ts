import { expect, test } from 'vitest'
import { findUsdRate, replaceOffers } from '#server/core/catalog/offers/queries.ts'
import { listRulesAt } from '#server/core/catalog/rules/rule-queries.ts'
import type { Pool } from '#server/house/db/pool.ts'
import { BOOKS_START, fillBooks, openTestPool } from '#test/books/books.ts'
import { auditOf, CLI_SECRET_KEY, typed, typedIn, WHY } from '#test/harness/typed.ts'

type Argv = readonly string[]

async function doubts(pool: Pool & { connectionString: string }, argv: Argv, sentence: string): Promise<void> {
  const before = (await auditOf(pool)).length
  const said = await typed(pool, ...argv, ...WHY)
  expect(said).toEqual({ code: 1, out: '', err: `${sentence}. Nothing was changed: add --yes if it is meant\n` })
  expect(await auditOf(pool)).toHaveLength(before)
  expect(await typed(pool, ...argv, '--yes', ...WHY)).toMatchObject({ code: 0, err: '' })
  expect(await auditOf(pool)).toHaveLength(before + 1)
}

test('O-3: a rate with its point in the wrong place is refused, the first one too; --yes sets it', async () => {
  await using pool = await openTestPool()
  await pool.query({ text: 'DELETE FROM exchange_rates' })
  await doubts(pool, ['rate:set', 'usd', '0.905'], '0.905 rub for 1 usd is not between 20.00 and 500.00')
  await doubts(
    pool,
    ['rate:set', 'usd', '90.5'],
    '90.50 rub for 1 usd differs by more than 10 % from the rate so far, 0.905',
  )
  expect(await typed(pool, 'rate:set', 'usd', '82.3', ...WHY)).toMatchObject({ code: 0 })
  await doubts(
    pool,
    ['rate:set', 'usd', '90.6'],
    '90.60 rub for 1 usd differs by more than 10 % from the rate so far, 82.30',
  )
  await doubts(
    pool,
    ['rate:set', 'usd', '0.906'],
    '0.906 rub for 1 usd differs by more than 10 % from the rate so far, 90.60',
  )
  expect(await findUsdRate(pool)).toBe(906_000n)
})

test('O-3: a price below the cost of offers it is for is refused with the dearest of them', async () => {
  await using pool = await openTestPool()
  const { supplierId } = await fillBooks(pool)
  await typed(pool, 'rate:set', 'usd', '90', ...WHY)
  const offer = { countryId: 2, operator: 'any', stock: 5 }
  await replaceOffers(pool, {
    supplierId,
    now: BOOKS_START,
    offers: [
      { ...offer, serviceCode: 'tg', costMicros: 100_000n, currency: 'usd' },
      { ...offer, serviceCode: 'tg', countryId: 0, costMicros: 9_500_000n, currency: 'rub' },
      { ...offer, serviceCode: 'wa', costMicros: 1_000_000n, currency: 'usd' },
      { ...offer, serviceCode: 'wa', countryId: 0, costMicros: 900_000_000n, currency: 'rub', stock: 0 },
    ],
  })
  const set = (price: string, ...scope: string[]) => ['price:set', '--price', price, '--currency', 'rub', ...scope]
  const telegram = ['--service', 'tg']
  expect(await typed(pool, ...set('9.5', ...telegram), ...WHY)).toMatchObject({ code: 0 })
  await doubts(
    pool,
    set('9.49', ...telegram),
    '9.49 rub is below the cost of 1 of the 2 offers it is for, up to 9.50 rub for tg in country 0 at range: they would not be sold',
  )
  await doubts(
    pool,
    ['price:set', '--price', '0.09', '--currency', 'usd', ...telegram],
    '0.09 usd is below the cost of 2 of the 2 offers it is for, up to 9.50 rub for tg in country 0 at range: they would not be sold',
  )
  await doubts(
    pool,
    set('89.99'),
    '89.99 rub is below the cost of 1 of the 1 offers it is for, up to 1.00 usd for wa in country 2 at range: they would not be sold',
  )
  expect(await typed(pool, ...set('90'), ...WHY)).toMatchObject({ code: 0 })
  expect(await listRulesAt(pool, new Date())).toHaveLength(2)
})

test('O-3: more money than the limit is neither given nor taken without --yes; the limit is a setting', async () => {
  await using pool = await openTestPool()
  await fillBooks(pool)
  const credit = (email: string, amount: string, key: string) => ['user:credit', email, amount, '--key', key]
  expect(await typed(pool, ...credit('rub@ringpost.test', '50000', 'most'), ...WHY)).toMatchObject({ code: 0 })
  await doubts(
    pool,
    credit('rub@ringpost.test', '100000000000', 'slip'),
    '100000000000.00 rub is more than the limit of 50000.00 rub (MAX_CREDIT_RUB)',
  )
  await doubts(
    pool,
    credit('rub@ringpost.test', '-50000.01', 'fine'),
    '-50000.01 rub is more than the limit of 50000.00 rub (MAX_CREDIT_RUB)',
  )
  await doubts(
    pool,
    credit('usd@ringpost.test', '500.01', 'usd'),
    '500.01 usd is more than the limit of 500.00 usd (MAX_CREDIT_USD)',
  )
  const settings = { DATABASE_URL: pool.connectionString, SECRET_KEY: CLI_SECRET_KEY }
  const small = { ...settings, MAX_CREDIT_RUB: '5' }
  expect(await typedIn(small, ...credit('rub@ringpost.test', '6', 'six'), ...WHY)).toMatchObject({ code: 1 })
  const none = { ...settings, MAX_CREDIT_RUB: 'none' }
  expect(await typedIn(none, ...credit('rub@ringpost.test', '60000', 'all'), ...WHY)).toMatchObject({ code: 0 })
  expect(await typedIn({ ...settings, MAX_CREDIT_RUB: 'much' }, 'supplier:list')).toMatchObject({
    code: 1,
    err: 'MAX_CREDIT_RUB must be an amount above zero, such as 5000.00\n',
  })
})
