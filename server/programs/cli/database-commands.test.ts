import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { openTestPool } from '#test/books/books.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { typed, typedIn, WHY } from '#test/harness/typed.ts'

test('a command on a database of another release says to migrate, and migrate fills the catalogue', async () => {
  await using pool = await openTestPool({ empty: true })
  const verify = () => typed(pool, 'ledger:verify')
  expect(await verify()).toMatchObject({ code: 1, err: expect.stringContaining('run `npm run cli -- migrate` first') })
  expect((await typed(pool, 'migrate')).out).toMatch(/^applied 0001_house\.sql\n/)
  expect(await typed(pool, 'migrate')).toMatchObject({ code: 0, out: 'the database is up to date\n' })
  expect(await verify()).toMatchObject({ code: 0 })
  expect(await typed(pool, 'price:set', '--service', 'tg', '--margin', '20', ...WHY)).toMatchObject({ code: 0 })
})

test('a folder without a database is not filled by a look at it', async () => {
  await using folder = await temporaryFolder()
  const look = (command: string) => typedIn({ DATA_DIR: folder.root }, command)
  expect(await look('ledger:verify')).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is no database in'),
  })
  expect(await look('demo:key')).toMatchObject({ code: 1, err: expect.stringContaining('There is no demo in') })
  expect(await readdir(folder.root)).toEqual([])
})

test(
  'a database that is away is said in one line',
  async () => {
    const said = await typed({ connectionString: 'postgres://nobody@127.0.0.1:1/none' }, 'ledger:verify')
    expect(said).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^The database cannot be reached: .*\n$/),
    })
  },
  MINUTE,
)
