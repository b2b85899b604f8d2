import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { unseal } from '#server/house/config/secret-key.ts'
import { fillBooks, openTestPool } from '#test/books/books.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { auditOf, CLI_SECRET_KEY, typed, typedIn, WHY } from '#test/harness/typed.ts'

test('an smpp supplier is added with settings from a file, and its numbers with their country and operator', async () => {
  await using pool = await openTestPool()
  await using folder = await temporaryFolder()
  const settings = {
    mode: 'server',
    currency: 'rub',
    services: [{ code: 'tg', cost: '9.50' }],
    listen: { port: 0 },
    peers: [{ systemId: 'gateway', password: 'very secret' }],
  }
  await writeFile(folder.path('settings.json'), JSON.stringify(settings))
  await writeFile(folder.path('numbers.csv'), '# phone,country,operator\n+77051234567,2,altel\n77051234568,2,altel\n\n')
  const add = () =>
    typed(pool, 'supplier:add', 'smpp', '--code', 'ours', '--settings', `@${folder.path('settings.json')}`, ...WHY)

  expect(await add()).toMatchObject({ code: 0, out: 'Added the supplier ours (smpp).\n' })
  expect(await add()).toMatchObject({ code: 1, err: 'There is already a supplier ours\n' })
  const numbers = await typed(pool, 'numbers:add', 'ours', folder.path('numbers.csv'), ...WHY)
  expect(numbers).toMatchObject({ code: 0, out: 'ours: 2 numbers added, 0 were there already.\n' })
  await writeFile(folder.path('gone.txt'), '77051234568\n')
  const disabled = await typed(pool, 'numbers:disable', 'ours', folder.path('gone.txt'), ...WHY)
  expect(disabled.out).toBe('ours: 1 of 1 numbers are not sold any more.\n')

  const { rows } = await pool.query({
    text: 'SELECT phone, country_id, operator, enabled FROM smpp_numbers ORDER BY phone',
  })
  expect(rows).toEqual([
    { phone: '77051234567', country_id: 2, operator: 'altel', enabled: true },
    { phone: '77051234568', country_id: 2, operator: 'altel', enabled: false },
  ])
  const stored = await pool.query<{ settings: Record<string, unknown> }>({
    text: `SELECT settings FROM suppliers WHERE code = 'ours'`,
  })
  expect(JSON.stringify(stored.rows)).not.toContain('very secret')
  expect(unseal(stored.rows[0]?.settings ?? {}, [CLI_SECRET_KEY])).toEqual({ value: settings, outdated: false })
  const audit = await auditOf(pool)
  expect(audit).toHaveLength(3)
  expect(JSON.stringify(audit)).not.toContain('very secret')
})

test.each([
  ['7705,2,altel', 'is not 7 to 15 digits'],
  ['77051234567,2', ':1: a line is phone,country,operator'],
  ['77051234567,kz,altel', ':1: "kz" is not the number of a country'],
  ['77051234567,99999,altel', 'a country id is unknown'],
  ['# nothing\n', 'has no numbers in it'],
])('a file of numbers with %j is refused as a whole', async (line, sentence) => {
  await using pool = await openTestPool()
  await using folder = await temporaryFolder()
  await fillBooks(pool)
  await writeFile(folder.path('numbers.csv'), `${line}\n${line.startsWith('#') ? '' : '77051234599,2,altel\n'}`)
  const said = await typed(pool, 'numbers:add', 'range', folder.path('numbers.csv'), ...WHY)
  expect(said).toMatchObject({ code: 1, out: '', err: expect.stringContaining(sentence) })
  expect((await pool.query({ text: 'SELECT FROM smpp_numbers' })).rowCount).toBe(0)
})

test('settings are not stored without the key that seals them', async () => {
  await using pool = await openTestPool()
  const settings = {
    mode: 'server',
    currency: 'rub',
    services: [],
    listen: { port: 0 },
    peers: [{ systemId: 'g', password: 'p' }],
  }
  const environment = { DATABASE_URL: pool.connectionString }
  const add = ['supplier:add', 'smpp', '--code', 'ours', '--settings', JSON.stringify(settings), ...WHY]
  expect(await typedIn(environment, ...add)).toMatchObject({
    code: 1,
    err: expect.stringContaining('SECRET_KEY is missing'),
  })
  expect((await pool.query({ text: 'SELECT FROM suppliers' })).rowCount).toBe(0)
})
