import { chmod, cp, lstat, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { EmbeddedPostgresError, errorCode } from './embedded-postgres-error.ts'
import type { PostgresPlace, ProcessOwner } from './postgres-place.ts'
import { makeWhole } from './staging-folder.ts'

export type PostgresBinaries = { postgres: string; initdb: string }

const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }))
const packageFile = z.object({ version: z.string() })

/**
 * Finds the PostgreSQL of the npm package for this platform and makes it usable for the user it will run as: makes
 * the links between shared libraries that the package's install script would have made, and copies everything where
 * that user cannot reach it in node_modules.
 */
export async function prepareBinaries(place: PostgresPlace, packageFolder = findPackage()): Promise<PostgresBinaries> {
  const complete = await makeLinks(packageFolder)
  const usable = complete && (place.owner === null || (await reachable(join(packageFolder, 'native'), place.owner)))
  const folder = usable ? packageFolder : await copyPackage(packageFolder, place)
  return { postgres: join(folder, 'native/bin/postgres'), initdb: join(folder, 'native/bin/initdb') }
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  // Node has no Unix sockets on Windows, and a password over TCP is not what this service promises.
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

/** Makes missing links; false when they could not be made here (a read-only node_modules). */
async function makeLinks(packageFolder: string): Promise<boolean> {
  const text = await readFile(join(packageFolder, 'native/pg-symlinks.json'), 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return '[]'
    throw error
  })
  for (const { source, target } of symlinkList.parse(JSON.parse(text))) {
    const link = join(packageFolder, target)
    try {
      await symlink(relative(dirname(link), join(packageFolder, source)), link)
    } catch (error) {
      if (errorCode(error) === 'EEXIST') continue
      if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) {
        if (await exists(link)) continue
        return false
      }
      throw error
    }
  }
  return true
}

/** Whether `owner` may read and enter the folder, its first levels, and all that is above it. */
async function reachable(folder: string, owner: ProcessOwner): Promise<boolean> {
  const paths = [join(folder, 'bin/postgres'), join(folder, 'lib/postgresql'), join(folder, 'share/postgresql')]
  for (let above = folder; ; above = dirname(above)) {
    paths.push(above)
    if (above === dirname(above)) break
  }
  for (const path of paths) {
    const found = await stat(path)
    const shift = found.uid === owner.uid ? 6 : found.gid === owner.gid ? 3 : 0
    // A folder above needs no reading: entering it is enough.
    const needed = path.startsWith(folder) ? 0o5 : 0o1
    if (((found.mode >> shift) & needed) !== needed) return false
  }
  return true
}

async function copyPackage(packageFolder: string, place: PostgresPlace): Promise<string> {
  const { version } = packageFile.parse(JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')))
  const target = join(place.binariesFolder, `postgresql-${version}`)
  if (await exists(target)) return target
  await makeWhole(target, null, async (staging) => {
    await cp(join(packageFolder, 'native'), join(staging, 'native'), { recursive: true, verbatimSymlinks: true })
    await openToAll(staging)
    await makeLinks(staging)
  })
  return target
}

/** npm under a strict umask writes files that only their owner reads; nothing in here is secret. */
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
