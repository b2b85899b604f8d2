import { createHash, randomUUID } from 'node:crypto'
import { chown, lstat, mkdir, readdir, readFile, readlink, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { writeWhole } from '#server/house/write-whole.ts'
import { EmbeddedPostgresError, errorCode, explainFileError } from './embedded-postgres-error.ts'

const NOTE = 'data-folder'
const PID_FILE = 'postmaster.pid'

export type ProcessOwner = { uid: number; gid: number }

/** The folders and files of an embedded PostgreSQL. `home` has mode 0700 and belongs to PostgreSQL's user. */
export type PostgresPlace = {
  home: string
  /**
   * The data folder and `credentialsFile` are created together in one atomic step, so neither exists without the other.
   */
  dataFolder: string
  credentialsFile: string
  logFile: string
  socketFolder: string
  owner: ProcessOwner | null
}

/** The user `nobody` has this id on every common Linux. PostgreSQL refuses to run as root. */
export const NOBODY: ProcessOwner = { uid: 65_534, gid: 65_534 }
export const ROOT_HOME = '/var/lib/ringpost'
/** The maximum length of a socket's path in bytes: 103 on macOS and 107 on Linux. */
const SOCKET_PATH_LIMIT_BYTES = 103
const SOCKET_NAME = '.s.PGSQL.5432'

/**
 * Prepares the folders of PostgreSQL. If our process is root, `<dataDir>/postgres` is a link to a folder that belongs
 * to `nobody`. The link, not the folder's name, identifies the database.
 */
export async function preparePlace(dataDir: string): Promise<PostgresPlace> {
  const asked = resolve(dataDir)
  try {
    await mkdir(asked, { recursive: true, mode: 0o700 })
    const data = await realpath(asked)
    const { home, owner } = await findHome(data)
    await makeFolder(home, owner)
    if (dirname(home) === ROOT_HOME) await noteDataFolder(home, data)
    const place: PostgresPlace = {
      home,
      dataFolder: join(home, 'cluster', 'data'),
      credentialsFile: join(home, 'cluster', 'credentials.json'),
      logFile: join(home, 'postgres.log'),
      socketFolder: socketFolderFor(home),
      owner,
    }
    await makeFolder(place.socketFolder, owner)
    await dropFilesOfOriginal(place)
    return place
  } catch (error) {
    throw explainFileError(error, asked)
  }
}

export async function makeFolder(folder: string, owner: ProcessOwner | null): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
    await giveTo(folder, owner)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    await checkFolder(folder, owner)
  }
}

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
  const linked = found?.isSymbolicLink() ? await followLink(inside, root) : null
  if (linked !== null && !(await isLinkOfAnother(linked.home, data))) return linked
  if (linked !== null) await rm(inside, { force: true })
  else if (found !== null) {
    const served = root && found.uid !== 0
    return { home: inside, owner: served ? { uid: found.uid, gid: found.gid } : null }
  }
  if (!root) return { home: inside, owner: null }
  await mkdir(ROOT_HOME, { recursive: true, mode: 0o755 })
  const hash = createHash('sha256').update(`${data}\n${randomUUID()}`).digest('hex').slice(0, 16)
  await symlink(join(ROOT_HOME, hash), inside).catch((error: unknown) => {
    // A concurrent start made the link, so the existing link is followed.
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

/** Returns the folder for PostgreSQL's socket: in `home`, or a shorter one if that path is too long for a socket. */
function socketFolderFor(home: string): string {
  const inside = join(home, 'socket')
  if (Buffer.byteLength(join(inside, SOCKET_NAME)) <= SOCKET_PATH_LIMIT_BYTES) return inside
  const hash = createHash('sha256').update(home).digest('hex').slice(0, 16)
  return join(tmpdir(), `ringpost-${hash}`)
}

/** Checks the owner of an existing folder. A folder that another user prepared in /tmp could be a trap. */
async function checkFolder(folder: string, owner: ProcessOwner | null): Promise<void> {
  const found = await lstat(folder)
  const expectedUid = owner?.uid ?? process.getuid?.() ?? found.uid
  if (found.isDirectory() && found.uid === expectedUid && (found.mode & 0o077) === 0) return
  // While a concurrent start is between mkdir and chown, the folder still belongs to root.
  if (found.isDirectory() && owner !== null && found.uid === 0 && (found.mode & 0o077) === 0) {
    await giveTo(folder, owner)
    return
  }
  throw new EmbeddedPostgresError(`The folder ${folder} must be private (0700) to the user the database runs as.`)
}

/**
 * Returns true if the data folder is a copy. A copy contains a link to the original's database, which records the path
 * of its data folder. If the recorded folder still has the link, the new folder is a copy and was not just moved.
 */
async function isLinkOfAnother(home: string, data: string): Promise<boolean> {
  const noted = await readFile(join(home, NOTE), 'utf8').catch(() => null)
  if (noted === null || noted === data) return false
  return (await readlink(join(noted, 'postgres')).catch(() => null)) === home
}

async function noteDataFolder(home: string, data: string): Promise<void> {
  const read = () => readFile(join(home, NOTE), 'utf8').catch(() => null)
  if ((await read()) === data) return
  await writeWhole(join(home, NOTE), data).catch(async (error: unknown) => {
    // A concurrent start has recorded the same path.
    if ((await read()) !== data) throw error
  })
}

/** Removes the PID file and sockets in a copy of a running data folder, because they make the copy seem to run. */
async function dropFilesOfOriginal(place: { dataFolder: string; socketFolder: string }): Promise<void> {
  const { dataFolder, socketFolder } = place
  const file = join(dataFolder, PID_FILE)
  const own = await readFile(file, 'utf8').catch(() => null)
  const [pid, folder] = own?.split('\n') ?? []
  if (pid === undefined || folder === undefined || folder === dataFolder) return
  const original = await readFile(join(folder, PID_FILE), 'utf8').catch(() => null)
  // A moved data folder may belong to a database that still runs, so the PID file stays.
  if (original?.split('\n')[0] !== pid) return
  await rm(file)
  for (const name of await readdir(socketFolder)) await rm(join(socketFolder, name))
}
