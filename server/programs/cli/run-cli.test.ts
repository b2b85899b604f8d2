import { userInfo } from 'node:os'
import { expect, test } from 'vitest'
import { findCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { fillBooks, openTestPool } from '#test/books/books.ts'
import { auditOf, typed, WHY } from '#test/harness/typed.ts'
import { commands } from './commands.ts'

test('help lists every command, and each says how it is written', async () => {
  const help = await typed(null, 'help')
  expect(help.code).toBe(0)
  for (const { name, summary } of commands) {
    expect(help.out).toContain(`${name} `)
    expect(await typed(null, name, '--help')).toEqual({ code: 0, err: '', out: expect.stringContaining(summary) })
  }
  expect((await typed(null, 'price:set', '--help')).out).toBe(
    `npm run cli -- price:set [--below-cost] [--yes] [--dry-run] [--json] [--service tg] [--country 2] [--margin 30] [--price 12.50] [--currency rub|usd] [--from 2026-12-01T09:00:00Z] [--until 2026-12-08] [--sale-loss-limit 4] [--loss-limit 5000] --reason WHY [--by WHO]
  set a margin in per cent, or a fixed price of an activation (rentals take the next wider margin): for a service, a country, both, or everything; for good, or for a time; with --below-cost for one pair, until an end, within a ceiling of its loss\n`,
  )
  expect((await typed(null)).code).toBe(2)
})

test.each([
  [['nonsense'], 'There is no command nonsense'],
  [['user:block', ...WHY], 'EMAIL is missing'],
  [['user:block', 'a@b.c'], '--reason WHY is missing'],
  [['user:block', 'a@b.c', '--reason', ' '], '--reason WHY is missing'],
  [['user:block', 'a@b.c', 'd@e.f', ...WHY], '"d@e.f" is too much'],
  [['user:block', 'a@b.c', '--force', ...WHY], "Unknown option '--force'"],
  [['user:credit', 'a@b.c', '0', '--key', 'k', ...WHY], 'AMOUNT is such as 12.50 or -12.50, not zero'],
  [['user:credit', 'a@b.c', '1e3', '--key', 'k', ...WHY], 'AMOUNT is such as'],
  [['user:credit', 'a@b.c', '1.1234567', '--key', 'k', ...WHY], 'AMOUNT is such as'],
  [['user:credit', 'a@b.c', '5', ...WHY], '--key KEY is missing'],
  [['price:set', ...WHY], 'Give either --margin or --price'],
  [['price:set', '--margin', '3', '--price', '4', ...WHY], 'Give either --margin or --price'],
  [['price:set', '--margin', '10001', ...WHY], '--margin is 0 to 10000 per cent'],
  [['price:set', '--margin', '-5', ...WHY], '--margin is 0 to 10000 per cent'],
  [['price:set', '--price', '0', '--currency', 'rub', ...WHY], '--price is an amount above zero'],
  [['price:set', '--price', '4', '--currency', 'eur', ...WHY], '--currency is one of rub, usd'],
  [['rate:set', 'rub', '90', ...WHY], 'CURRENCY is such as usd'],
  [['rate:set', 'usd', '-90', ...WHY], 'The rate is an amount above zero'],
  [['order:refund', 'abc', ...WHY], 'ORDER is the number of an activation, rental:ID or charge:ID'],
  [['supplier:add', 'smpp', '--code', 'a b', ...WHY], '--code is 1 to 32 small letters'],
  [['supplier:add', 'smpp', '--code', 'a', '--settings', '{"password":"secret"', ...WHY], '--settings is not JSON'],
  [['supplier:add', 'toString', '--code', 'a', ...WHY], 'There is no kind toString; there are'],
])('%j is not accepted', async (argv, sentence) => {
  await using pool = await openTestPool()
  const { code, out, err } = await typed(pool, ...argv)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(sentence)
  expect(err).not.toContain('secret')
  expect(await auditOf(pool)).toEqual([])
})

test('without --by the audit log names the user of the machine', async () => {
  await using pool = await openTestPool()
  await typed(pool, 'buying:stop', '--reason', 'fire')
  expect(await auditOf(pool)).toMatchObject([{ actor: userInfo().username, reason: 'fire' }])
})

test('prices, rates, suppliers and blocks raise the version that a running server looks at', async () => {
  await using pool = await openTestPool()
  await fillBooks(pool)
  const raises = async (...argv: string[]) => {
    const { version } = await findCatalogVersion(pool)
    const said = await typed(pool, ...argv, ...WHY)
    expect(said).toMatchObject({ code: 0, err: '' })
    expect((await findCatalogVersion(pool)).version).toBe(version + 1)
    return said.out
  }
  expect(await raises('price:set', '--margin', '45')).toBe('Every service in every country: cost and 45 %.\n')
  expect(await raises('price:set', '--service', 'tg', '--country', '0', '--price', '12.5', '--currency', 'rub')).toBe(
    'Telegram in Russia: 12.50 rub.\n',
  )
  expect(await raises('price:set', '--service', 'tg', '--country', '0', '--margin', '0')).toContain('(was 12.50 rub)')
  expect(await raises('rate:set', 'usd', '90.5')).toContain('1 usd is 90.50 rub now')
  expect(await raises('supplier:pause', 'range')).toBe('The supplier range is paused now.\n')
  expect((await typed(pool, 'supplier:list')).out).toMatch(/^range \(smpp\): paused since 20/)
  expect(await raises('supplier:resume', 'range')).toBe('The supplier range is at work now.\n')
  expect(await raises('user:block', 'rub@ringpost.test')).toBe('rub@ringpost.test is blocked now.\n')
  expect(await raises('user:unblock', 'rub@ringpost.test')).toBe('rub@ringpost.test is not blocked now.\n')
  expect((await auditOf(pool)).map((row) => row.subject)).toEqual([
    'price:*/*',
    'price:tg/0',
    'price:tg/0',
    'rate:usd',
    'supplier:range',
    'supplier:range',
    'user:1',
    'user:1',
  ])
})

test('what is so already is said, and is no change', async () => {
  await using pool = await openTestPool()
  await fillBooks(pool)
  const { version } = await findCatalogVersion(pool)
  for (const argv of [['supplier:resume', 'range'], ['user:unblock', 'rub@ringpost.test'], ['buying:start']]) {
    expect(await typed(pool, ...argv, ...WHY)).toMatchObject({ code: 0, out: expect.stringContaining('already') })
  }
  expect((await findCatalogVersion(pool)).version).toBe(version)
  expect(await auditOf(pool)).toEqual([])
})

test.each([
  [['user:block', 'nobody@ringpost.test'], 'There is no user nobody@ringpost.test'],
  [['user:credit', 'nobody@ringpost.test', '1', '--key', 'k'], 'There is no user nobody@ringpost.test'],
  [['supplier:pause', 'nobody'], 'There is no supplier nobody'],
  [['price:set', '--service', 'zzz', '--margin', '1'], 'There is no service zzz'],
  [['price:set', '--country', '999999', '--margin', '1'], 'There is no country 999999'],
  [
    ['supplier:add', 'smpp', '--code', 'range', '--settings', '{"mode":"client","password":"secret"}'],
    'The settings of the SMPP supplier "range" are wrong: currency',
  ],
  [['supplier:add', 'simulator', '--code', 'sim'], 'it works in the demo only'],
  [['numbers:add', 'range', '/no/such/file'], '/no/such/file cannot be read'],
])('%j is refused in one sentence, and nothing changes', async (argv, sentence) => {
  await using pool = await openTestPool()
  await fillBooks(pool)
  const { code, out, err } = await typed(pool, ...argv, ...WHY)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toContain(sentence)
  expect(err).not.toContain('secret')
  expect(err.trim().split('\n')).toHaveLength(1)
  expect(await auditOf(pool)).toEqual([])
})
