import { execFile } from 'node:child_process'
import { readFile, symlink } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { Pool } from '#server/house/db/pool.ts'
import { type MainProcess, startMain } from '#test/fakes/main-process.ts'
import { createEmptyDatabase } from '#test/harness/database.ts'
import { quietLog } from '#test/harness/postgres/temporary-postgres.ts'
import { type TemporaryFolder, temporaryFolder } from '#test/harness/temporary-folder.ts'
import { countRows, expectLedgerRight, until } from './real-service.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const LIMIT_MS = 240_000
const CODE_LIMIT_MS = 20_000
const BUILD_LIMIT_MS = 120_000

type Release = { version: string; commit: string }

const releases = JSON.parse(await readFile(`${ROOT}migrations/releases.json`, 'utf8')) as Release[]
const before = releases.at(-1) ?? { version: '', commit: '' }
const isThere = await run('git', ['--git-dir', `${ROOT}.git`, 'cat-file', '-e', `${before.commit}^{commit}`]).then(
  () => true,
  () => false,
)
if (!isThere) console.warn(`NOT RUN: the upgrade from release ${before.version}, whose commit this clone lacks`)

/** Checks out the release before and builds its pages. The packages of this release are used. */
async function checkOut(folder: TemporaryFolder): Promise<string> {
  const archive = folder.path('release.tar')
  await run('git', ['--git-dir', `${ROOT}.git`, 'archive', '-o', archive, before.commit])
  await run('tar', ['-x', '-f', archive, '-C', folder.root])
  await symlink(`${ROOT}node_modules`, folder.path('node_modules'))
  await run(process.execPath, ['scripts/build.mjs'], { cwd: folder.root, timeout: BUILD_LIMIT_MS })
  return folder.root
}

async function versionOf(url: string): Promise<string> {
  return ((await (await fetch(`${url}/healthz`)).json()) as { version: string }).version
}

test.runIf(isThere)(
  'the release before goes on with the schema of this release, this release takes over, and the way back is open',
  { timeout: LIMIT_MS },
  async () => {
    await using folder = await temporaryFolder()
    const root = await checkOut(folder)
    await using database = await createEmptyDatabase()
    const dataDir = folder.path('data')
    const environment = { DEMO: '1', DATA_DIR: dataDir, DATABASE_URL: database.connectionString }
    await using onlooker = new Pool({
      connectionString: database.connectionString,
      maxConnections: 2,
      applicationName: 'onlooker',
      log: quietLog,
    })
    const ask = async (url: string, query: Record<string, string>) => {
      const { apiKey } = JSON.parse(await readFile(`${dataDir}/demo.json`, 'utf8')) as { apiKey: string }
      return (await fetch(`${url}/stubs/handler_api.php?${new URLSearchParams({ api_key: apiKey, ...query })}`)).text()
    }
    /** Buys a number and waits for its code. Returns the activation's id. */
    const useOne = async (url: string) => {
      const bought = await ask(url, { action: 'getNumber', service: 'tg', country: '0', operator: 'swift' })
      const id = /^ACCESS_NUMBER:(\d+):/.exec(bought)?.[1]
      if (id === undefined) throw new Error(`nothing was bought: ${bought}`)
      await expect
        .poll(() => ask(url, { action: 'getStatus', id }), { timeout: CODE_LIMIT_MS, interval: 200 })
        .toMatch(/^STATUS_OK:/)
      return id
    }
    const end = async (service: MainProcess) => {
      service.kill('SIGTERM')
      expect(await service.ended).toMatchObject({ code: 0, err: '' })
    }

    await using old = startMain(environment, { root })
    const oldUrl = await old.url
    expect(await versionOf(oldUrl)).toBe(before.version)
    const first = await useOne(oldUrl)
    const migrations = await countRows(onlooker, 'schema_migrations')

    // This release migrates the database while the release before serves.
    await using next = startMain(environment)
    await until(async () => (await countRows(onlooker, 'schema_migrations')) > migrations)
    const second = await useOne(oldUrl)
    expect((await fetch(`${oldUrl}/readyz`)).status).toBe(200)

    await end(old)
    const nextUrl = await next.url
    expect(await versionOf(nextUrl)).not.toBe(before.version)
    for (const id of [first, second]) expect(await ask(nextUrl, { action: 'getStatus', id })).toMatch(/^STATUS_OK:/)
    const third = await useOne(nextUrl)
    await expectLedgerRight(onlooker)

    await end(next)
    await using back = startMain(environment, { root })
    const backUrl = await back.url
    expect(await versionOf(backUrl)).toBe(before.version)
    expect(await ask(backUrl, { action: 'getStatus', id: third })).toMatch(/^STATUS_OK:/)
    await useOne(backUrl)
    await end(back)
    await expectLedgerRight(onlooker)
  },
)
