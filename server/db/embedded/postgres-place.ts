import { createHash, randomUUID } from 'node:crypto'
import { chown, lstat, mkdir, readlink, realpath, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { EmbeddedPostgresError, errorCode, explainFileError } from './embedded-postgres-error.ts'

/** Whom PostgreSQL runs as when that is not the user of this process. */
export type ProcessOwner = { uid: number; gid: number }

/** Where one embedded PostgreSQL lives. `home` is 0700 and belongs to whoever PostgreSQL runs as. */
export type PostgresPlace = {
  home: string
  /** PGDATA. It comes into being together with `credentialsFile`, or not at all. */
  dataFolder: string
  credentialsFile: string
  logFile: string
  socketFolder: string
  /** null: the user of this process. */
  owner: ProcessOwner | null
}

/** `nobody` of every common Linux: PostgreSQL refuses to run as root. */
export const NOBODY: ProcessOwner = { uid: 65_534, gid: 65_534 }
/** Of root: the databases of `nobody`, and the programs of PostgreSQL. */
export const ROOT_HOME = '/var/lib/ringpost'
/** macOS allows 103 bytes for a socket's path, Linux 107. */
const SOCKET_PATH_LIMIT_BYTES = 103
const SOCKET_NAME = '.s.PGSQL.5432'

/**
 * Chooses and creates the folders for the database of `dataDir`: `<dataDir>/postgres`, or for root a folder of `nobody`
 * under /var/lib/ringpost to which `<dataDir>/postgres` is a link. The link, not the name, ties the two together:
 * a data folder that is moved keeps its database, and one that is deleted and made anew begins with a new one.
 * A folder that an ordinary user made is served as that user, also when root starts it.
 */
export async function preparePlace(dataDir: string): Promise<PostgresPlace> {
  const asked = resolve(dataDir)
  try {
    await mkdir(asked, { recursive: true, mode: 0o700 })
    const data = await realpath(asked)
    const { home, owner } = await findHome(data)
    await makeFolder(home, owner)
    const place: PostgresPlace = {
      home,
      dataFolder: join(home, 'cluster', 'data'),
      credentialsFile: join(home, 'cluster', 'credentials.json'),
      logFile: join(home, 'postgres.log'),
      socketFolder: socketFolderFor(home),
      owner,
    }
    await makeFolder(place.socketFolder, owner)
    return place
  } catch (error) {
    throw explainFileError(error, asked)
  }
}

/** Creates a 0700 folder of PostgreSQL's user, or checks that an existing one is exactly that. */
export async function makeFolder(folder: string, owner: ProcessOwner | null): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
    await giveTo(folder, owner)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    await checkFolder(folder, owner)
  }
}

/** Makes a path belong to PostgreSQL's user. */
export async function giveTo(path: string, owner: ProcessOwner | null): Promise<void> {
  if (owner !== null) await chown(path, owner.uid, owner.gid)
}

async function findHome(data: string): Promise<{ home: string; owner: ProcessOwner | null }> {
  const inside = join(data, 'postgres')
  const root = process.getuid?.() === 0
  const found = await lstat(inside).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  })
  if (found?.isSymbolicLink()) return followLink(inside, root)
  if (found !== null) {
    const served = root && found.uid !== 0
    return { home: inside, owner: served ? { uid: found.uid, gid: found.gid } : null }
  }
  if (!root) return { home: inside, owner: null }
  await mkdir(ROOT_HOME, { recursive: true, mode: 0o755 })
  const hash = createHash('sha256').update(`${data}\n${randomUUID()}`).digest('hex').slice(0, 16)
  await symlink(join(ROOT_HOME, hash), inside).catch((error: unknown) => {
    // Another start of the same moment made the link: follow that one.
    if (errorCode(error) !== 'EEXIST') throw error
  })
  return followLink(inside, root)
}

async function followLink(link: string, root: boolean): Promise<{ home: string; owner: ProcessOwner | null }> {
  const home = await readlink(link)
  if (dirname(home) !== ROOT_HOME || !/^[0-9a-f]{16}$/.test(basename(home))) {
    throw new EmbeddedPostgresError(`${link} leads to ${home}, which is not a database folder of this service.`)
  }
  if (!root) {
    throw new EmbeddedPostgresError(
      `The database of ${dirname(link)} was made by root: start as root, or choose another DATA_DIR.`,
    )
  }
  return { home, owner: NOBODY }
}

/** A path too long for a socket is replaced by a short folder of the same user. */
function socketFolderFor(home: string): string {
  const inside = join(home, 'socket')
  if (Buffer.byteLength(join(inside, SOCKET_NAME)) <= SOCKET_PATH_LIMIT_BYTES) return inside
  const hash = createHash('sha256').update(home).digest('hex').slice(0, 16)
  return join(tmpdir(), `ringpost-${hash}`)
}

/** A folder that somebody else prepared (the short one stands in /tmp) could be a trap: refuse it. */
async function checkFolder(folder: string, owner: ProcessOwner | null): Promise<void> {
  const found = await lstat(folder)
  const expectedUid = owner?.uid ?? process.getuid?.() ?? found.uid
  if (found.isDirectory() && found.uid === expectedUid && (found.mode & 0o077) === 0) return
  // Between mkdir and chown of another start of the same moment the folder still belongs to root.
  if (found.isDirectory() && owner !== null && found.uid === 0 && (found.mode & 0o077) === 0) {
    await giveTo(folder, owner)
    return
  }
  throw new EmbeddedPostgresError(`The folder ${folder} must be private (0700) to the user the database runs as.`)
}
