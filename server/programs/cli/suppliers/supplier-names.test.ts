import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openTestPool } from '#test/books/books.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { auditOf, typed, WHY } from '#test/harness/typed.ts'

const SETTINGS = {
  mode: 'client',
  currency: 'rub',
  systemId: 'ringpost',
  password: 'secret',
  hosts: [{ host: 'smpp.carrier.example', port: 3550 }],
}
const settingsWith = (services: object[], rent: object[] = []) => JSON.stringify({ ...SETTINGS, services, rent })

test('O-7: services and countries that there are not are refused by their names, when a supplier is added and changed', async () => {
  await using pool = await openTestPool()
  const add = (settings: string) =>
    typed(pool, 'supplier:add', 'smpp', '--code', 'ours', '--settings', settings, ...WHY)
  const known = { code: 'tg', cost: '9.50' }
  const wrong = settingsWith(
    [known, { code: 'zzz', cost: '1' }, { code: 'wa', cost: '1', costByCountry: { 2: '3', 999999: '4' } }],
    [
      { code: 'yyyy', cost: { 24: '30' } },
      { code: 'full', cost: { 24: '30' } },
    ],
  )
  expect(await add(wrong)).toEqual({
    code: 1,
    out: '',
    err: 'There is no service yyyy, no service zzz, no country 999999\n',
  })
  expect(await add(settingsWith([known], [{ code: 'full', cost: { 24: '30' } }]))).toMatchObject({ code: 0 })
  const set = (services: object[]) =>
    typed(pool, 'supplier:set', 'ours', `services=${JSON.stringify(services)}`, ...WHY)
  expect(await set([known, { code: 'zzz', cost: '1' }])).toEqual({ code: 1, out: '', err: 'There is no service zzz\n' })
  expect(await set([known, { code: 'wa', cost: '1' }])).toMatchObject({ code: 0 })
  expect(await auditOf(pool)).toHaveLength(2)
  const bank = { url: 'https://bank.example', currency: 'rub', services: [known], countries: { rossiya: 999999 } }
  const added = await typed(
    pool,
    'supplier:add',
    'sim-bank',
    '--code',
    'bank',
    '--settings',
    JSON.stringify(bank),
    ...WHY,
  )
  expect(added).toEqual({ code: 1, out: '', err: 'There is no country 999999\n' })
})

test('O-8: a phone of another country is refused; one of an area that another has of a shared code needs --yes', async () => {
  await using pool = await openTestPool()
  await using folder = await temporaryFolder()
  await typed(pool, 'supplier:add', 'smpp', '--code', 'ours', '--settings', settingsWith([]), ...WHY)
  const add = async (lines: string[], ...more: string[]) => {
    await writeFile(folder.path('numbers'), lines.join('\n'))
    return typed(pool, 'numbers:add', 'ours', folder.path('numbers'), ...more, ...WHY)
  }
  expect(await add(['79261234567,0,mts', '4915112345678,0,mts', '380501234567,2,altel'], '--yes')).toEqual({
    code: 1,
    out: '',
    err: 'Numbers of another country: 4915112345678 for Russia (+7), 380501234567 for Kazakhstan (+7)\n',
  })
  expect(await add(['abc,2,altel'])).toMatchObject({
    code: 1,
    err: expect.stringContaining(':1: "abc" is not a phone'),
  })
  const kazakh = ['77051234567,0,mts', '12025550123,187,verizon']
  expect(await add(kazakh)).toMatchObject({
    code: 1,
    err: expect.stringContaining('77051234567 for Russia (+7). Nothing was changed'),
  })
  expect(await add(kazakh, '--yes')).toMatchObject({ code: 0 })
  expect(await add(['77051234568,2,altel', '18765550123,103,digicel'])).toMatchObject({ code: 0 })
})

test('O-9: supplier:list counts the numbers there are, before the first start and with two services as well', async () => {
  await using pool = await openTestPool()
  const settings = settingsWith([
    { code: 'tg', cost: '1' },
    { code: 'wa', cost: '1' },
  ])
  await typed(pool, 'supplier:add', 'smpp', '--code', 'ours', '--settings', settings, ...WHY)
  await pool.query({
    text: `INSERT INTO smpp_numbers (phone, supplier_id, country_id, operator, enabled)
      SELECT '77051' || 100000 + n, 1, 2, 'altel', n <= 70 FROM generate_series(1, 73) n`,
  })
  const list = async () => (await typed(pool, 'supplier:list')).out
  expect(await list()).toBe('ours (smpp): at work, 0 offers, 70 numbers, 0 of them out now\n')
  await pool.query({
    text: `INSERT INTO offers (supplier_id, service_code, country_id, operator, cost_micros, currency, stock, refreshed_at)
      SELECT 1, code, 2, 'altel', 1, 'rub', 68, now() FROM unnest('{tg,wa}'::text[]) code`,
  })
  await pool.query({
    text: `WITH used AS (
        INSERT INTO smpp_number_uses (phone, service_code, supplier_id, country_id, operator, state, times_offered, changed_at)
        SELECT '77051100001', code, 1, 2, 'altel', 'leased', 1, now() FROM unnest('{tg,wa}'::text[]) code RETURNING service_code)
      INSERT INTO smpp_leases (supplier_id, reference, state, phone, service_code, operator, cost_micros, currency, created_at, expires_at)
      SELECT 1, service_code, 'leased', '77051100001', service_code, 'altel', 1, 'rub', now(), now() FROM used`,
  })
  expect(await list()).toBe('ours (smpp): at work, 2 offers, 70 numbers, 1 of them out now\n')
})
