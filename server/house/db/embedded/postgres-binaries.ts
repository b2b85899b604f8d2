import { chmod, cp, lstat, mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { EmbeddedPostgresError, errorCode, explainFileError } from './embedded-postgres-error.ts'
import { type PostgresPlace, ROOT_HOME } from './postgres-place.ts'
import { makeWhole } from './staging-folder.ts'

export type PostgresBinaries = { pgCtl: string; initdb: string }

const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }))
const packageFile = z.object({ version: z.string() })

/**
 * Returns the paths of PostgreSQL's programs. If our process is root, PostgreSQL runs as another user, which gets a
 * copy because it may be unable to read node_modules.
 */
export async function prepareBinaries(place: PostgresPlace, packageFolder = findPackage()): Promise<PostgresBinaries> {
  const folder = place.owner === null ? packageFolder : await copyPackage(packageFolder)
  if (place.owner === null) {
    await makeLinks(packageFolder).catch((error: unknown) => {
      throw explainFileError(error, packageFolder)
    })
  }
  return { pgCtl: join(folder, 'native/bin/pg_ctl'), initdb: join(folder, 'native/bin/initdb') }
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  if (process.platform !== 'win32') {
    try {
      return dirname(dirname(createRequire(import.meta.url).resolve(name)))
    } catch (error) {
      if (errorCode(error) !== 'MODULE_NOT_FOUND') throw error
    }
  }
  throw new EmbeddedPostgresError(
    `There is no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to a PostgreSQL of your own.`,
  )
}

async function makeLinks(packageFolder: string): Promise<void> {
  const text = await readFile(join(packageFolder, 'native/pg-symlinks.json'), 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return '[]'
    throw error
  })
  for (const { source, target } of symlinkList.parse(JSON.parse(text))) {
    const link = join(packageFolder, target)
    if (await exists(link)) continue
    await symlink(relative(dirname(link), join(packageFolder, source)), link).catch((error: unknown) => {
      // A concurrent start has already made the copy.
      if (errorCode(error) !== 'EEXIST') throw error
    })
  }
}

async function copyPackage(packageFolder: string): Promise<string> {
  const { version } = packageFile.parse(JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')))
  const target = join(ROOT_HOME, `postgresql-${version}`)
  if (await exists(target)) return target
  try {
    await mkdir(ROOT_HOME, { recursive: true, mode: 0o755 })
    await makeWhole(target, null, async (staging) => {
      await cp(join(packageFolder, 'native'), join(staging, 'native'), { recursive: true, verbatimSymlinks: true })
      await openToAll(staging)
      await makeLinks(staging)
    })
  } catch (error) {
    throw explainFileError(error, ROOT_HOME)
  }
  return target
}

/** Makes the files readable for everybody, because npm under a strict umask writes them for their owner only. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await openToAll(path)
    else if (entry.isFile()) await chmod(path, ((await stat(path)).mode & 0o100) === 0 ? 0o644 : 0o755)
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
