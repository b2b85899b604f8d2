import { randomBytes } from 'node:crypto'
import { access, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { openConnection } from '#server/house/db/own-connection.ts'
import { EmbeddedPostgresError, explainFileError } from './embedded-postgres-error.ts'
import { explainOutput } from './pg-ctl.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { giveTo, makeFolder, type PostgresPlace } from './postgres-place.ts'
import { runPostgresTool } from './run-postgres-tool.ts'
import { makeWhole } from './staging-folder.ts'

/** The name of the application's ordinary role. The role is no superuser, so that a query cannot reach the machine. */
export const APPLICATION_NAME = 'ringpost'
export const SUPERUSER_NAME = 'postgres'

const credentialsFile = z.object({ superuserPassword: z.string().min(1), applicationPassword: z.string().min(1) })
export type PostgresCredentials = z.infer<typeof credentialsFile>

const INITIAL_SETTINGS = [
  'max_connections=150',
  'shared_buffers=128MB',
  'effective_cache_size=512MB',
  'max_wal_size=512MB',
  'random_page_cost=1.1',
  'timezone=UTC',
  'log_timezone=UTC',
]

export async function prepareCluster(place: PostgresPlace, binaries: PostgresBinaries): Promise<PostgresCredentials> {
  try {
    if (!(await exists(place.dataFolder))) await initialise(place, binaries)
    return credentialsFile.parse(JSON.parse(await readFile(place.credentialsFile, 'utf8')))
  } catch (error) {
    throw explainFileError(error, place.home)
  }
}

export async function prepareApplication(connectionString: string, credentials: PostgresCredentials): Promise<void> {
  await using own = await openConnection(connectionString, 'ringpost start')
  const { client } = own
  await client.query(`SELECT pg_advisory_lock(hashtext('ringpost start'))`)
  const role = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [APPLICATION_NAME])
  if (role.rowCount === 0) {
    const password = client.escapeLiteral(credentials.applicationPassword)
    await client.query(`CREATE ROLE ${APPLICATION_NAME} LOGIN PASSWORD ${password}`)
  }
  const database = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [APPLICATION_NAME])
  if (database.rowCount === 0) await client.query(`CREATE DATABASE ${APPLICATION_NAME} OWNER ${APPLICATION_NAME}`)
}

async function initialise(place: PostgresPlace, binaries: PostgresBinaries): Promise<void> {
  await makeWhole(dirname(place.dataFolder), place.owner, async (staging) => {
    const data = join(staging, 'data')
    await makeFolder(data, place.owner)
    const credentials: PostgresCredentials = {
      superuserPassword: randomBytes(24).toString('base64url'),
      applicationPassword: randomBytes(24).toString('base64url'),
    }
    const passwordFile = join(staging, 'password')
    await writePrivate(passwordFile, credentials.superuserPassword, place)
    await runInitdb(place, binaries, { data, passwordFile })
    await rm(passwordFile)
    await writePrivate(join(staging, 'credentials.json'), JSON.stringify(credentials), place)
  })
}

async function writePrivate(file: string, text: string, place: PostgresPlace): Promise<void> {
  await writeFile(file, text, { mode: 0o600, flag: 'wx', flush: true })
  await giveTo(file, place.owner)
}

async function runInitdb(
  place: PostgresPlace,
  binaries: PostgresBinaries,
  { data, passwordFile }: { data: string; passwordFile: string },
): Promise<void> {
  const args = ['-D', data, '-U', SUPERUSER_NAME, '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8']
  // PostgreSQL's builtin Unicode locale sorts and folds case the same way on every system.
  args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8')
  for (const setting of INITIAL_SETTINGS) args.push('-c', setting)
  // The system's ctype matters to the extension pg_trgm only. Without C.UTF-8, pg_trgm recognises Latin letters only.
  let result = await runPostgresTool(binaries.initdb, [...args, '--lc-ctype=C.UTF-8'], place.owner)
  if (result.output.includes('invalid locale name')) {
    result = await runPostgresTool(binaries.initdb, args, place.owner)
  }
  if (result.code !== 0) throw new EmbeddedPostgresError(explainOutput(result.output, place))
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
