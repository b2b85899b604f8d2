import { mkdir, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { readConfig } from '#server/house/config/config.ts'
import { LOCK_KEY } from '#server/house/nodes/lock-queries.ts'
import { buildContext } from '#server/programs/boot/build-context.ts'
import { startServer } from '#server/programs/boot/start.ts'
import { addBuyer, fillBooks } from '#test/books/books.ts'
import {
  givenToTools,
  hasDebianPostgres,
  makeCluster,
  runTool,
  startCluster,
  toolFolder,
} from '#test/harness/postgres/debian-postgres.ts'
import { queryOnce, quietLog } from '#test/harness/postgres/temporary-postgres.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { typedIn, WHY } from '#test/harness/typed.ts'
import { Pool } from './pool.ts'

const has15 = hasDebianPostgres()
const LEAVER = 'leaver@example.test'
const LIMIT_MS = 2 * MINUTE
const SECRET_KEY = 'a secret of 32 characters or more'
const SMPP = {
  mode: 'server',
  currency: 'rub',
  services: [],
  listen: { port: 0 },
  peers: [{ systemId: 'a', password: 'b' }],
}

async function furnish(databaseUrl: string): Promise<void> {
  const environment = { DATABASE_URL: databaseUrl, SECRET_KEY }
  const type = async (...argv: string[]) =>
    expect(await typedIn(environment, ...argv)).toMatchObject({ code: 0, err: '' })
  await type('migrate')
  await type('rate:set', 'usd', '90.5', ...WHY)
  await type('supplier:add', 'smpp', '--code', 'ours', '--settings', JSON.stringify(SMPP), ...WHY)
  await using pool = openPool(databaseUrl)
  await fillBooks(pool)
  await addBuyer(pool, { email: LEAVER, currency: 'rub', units: 5n })
  await pool.query({ text: `SELECT graphile_worker.add_job('end-number', '{}', run_at := now() + interval '1 day')` })
  await pool.query({ text: `UPDATE graphile_worker._private_jobs SET locked_by = 'killed', locked_at = now()` })
}

function openPool(connectionString: string): Pool {
  return new Pool({ connectionString, maxConnections: 8, applicationName: 'test', log: quietLog })
}

async function expectWhole(databaseUrl: string): Promise<void> {
  const environment = { DATABASE_URL: databaseUrl, SECRET_KEY }
  expect(await typedIn(environment, 'migrate')).toMatchObject({ code: 0, out: 'the database is up to date\n' })
  expect(await typedIn(environment, 'ledger:verify')).toMatchObject({ code: 0, err: '' })
  await expect(queryOnce(databaseUrl, 'DELETE FROM transfers')).rejects.toThrow('transfers is append-only')
}

async function serveOn(databaseUrl: string, environment: Record<string, string>): Promise<string> {
  const service = {
    PUBLIC_URL: 'http://localhost',
    SMTP_URL: 'smtp://127.0.0.1:1',
    SECRET_KEY,
    DATABASE_URL: databaseUrl,
  }
  const { config, secrets } = readConfig({ PORT: '0', REALTIME_PORT: '0', ...service, ...environment })
  await using pool = openPool(databaseUrl)
  const ctx = buildContext({ config, secrets: { secretKey: secrets.secretKey ?? '' }, pool, log: recordingLog() })
  try {
    await using server = await startServer(ctx)
    const held = await pool.query({
      text: `SELECT FROM pg_locks WHERE objid = $1 AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      values: [LOCK_KEY],
    })
    const locked = await pool.query({ text: `SELECT FROM graphile_worker._private_jobs WHERE locked_by = 'killed'` })
    const { status } = await fetch(`${server.url}/readyz`)
    return `readyz ${status}, ${held.rowCount} lock, ${locked.rowCount} jobs of the dead`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

test.skipIf(!has15)(
  'O-1: what pg_dump wrote is restored by pg_restore as operations/backup.md says, and serves again (needs postgresql-15)',
  async () => {
    await using folder = await toolFolder()
    await makeCluster(folder.path('data'))
    await using postgres = await startCluster(folder.path('data'), ['fsync=off'])
    const { connect } = postgres
    const made = (name: string) =>
      runTool('createdb', [
        ...connect,
        '--owner=ringpost',
        '--template=template0',
        '--encoding=UTF8',
        '--locale=C.UTF-8',
        name,
      ])
    await made('ringpost')
    const source = postgres.applicationUrl('ringpost')
    await furnish(source)
    // `pg_dump` and `pg_restore` use the service's own role, because a backup must not need a superuser.
    await runTool('pg_dump', ['--format=custom', `--file=${folder.path('b.dump')}`, source])
    const typing = (url: string, ...argv: string[]) => typedIn({ DATABASE_URL: url, SECRET_KEY }, ...argv)
    const left = await typing(source, 'user:erase', LEAVER, '--now', '--give-up', '5', ...WHY)
    expect(left).toMatchObject({ code: 0, err: '' })
    const erased = await typing(source, 'user:erased')
    await writeFile(folder.path('erased.txt'), erased.out)
    await made('restored')
    const target = postgres.applicationUrl('restored')
    await runTool('pg_restore', ['--exit-on-error', '--no-owner', `--dbname=${target}`, folder.path('b.dump')])

    await expectWhole(target)
    expect(await typing(target, 'user:erase-again', folder.path('erased.txt'), '--dry-run', ...WHY)).toMatchObject({
      code: 0,
    })
    const backAgain = `SELECT count(*)::integer AS count FROM users WHERE email = '${LEAVER}'`
    expect(await queryOnce(target, backAgain)).toMatchObject([{ count: 1 }])
    for (const says of ['is nobody again', 'has not come back']) {
      expect((await typing(target, 'user:erase-again', folder.path('erased.txt'), ...WHY)).out).toContain(says)
      expect(await queryOnce(target, backAgain)).toMatchObject([{ count: 0 }])
    }
    const rows = `SELECT (SELECT count(*) FROM transfers) AS transfers, (SELECT count(*) FROM audit_log) AS audit,
      (SELECT count(*) FROM graphile_worker._private_jobs) AS jobs, (SELECT sum(available_micros) FROM accounts) AS owned`
    expect(await queryOnce(target, rows)).toEqual(await queryOnce(source, rows))
    expect(await serveOn(target, { SECRET_KEY: 'another secret of 32 characters or more' })).toContain(
      'SECRET_KEY is not',
    )
    expect(await serveOn(target, { DEMO: '1' })).toContain('the database holds real data')
    expect(await serveOn(target, {})).toBe('readyz 200, 1 lock, 0 jobs of the dead')
    await using pool = openPool(target)
    const id = await addBuyer(pool, { email: 'later@example.test', currency: 'rub', units: 5n })
    expect(id).toBeGreaterThan(2)
    await expectWhole(target)
  },
  LIMIT_MS,
)

test.skipIf(!has15)(
  'O-1: a base backup and the archive bring back any moment in between (needs postgresql-15)',
  async () => {
    await using folder = await toolFolder()
    const archive = folder.path('archive')
    await mkdir(archive)
    await givenToTools(archive)
    await makeCluster(folder.path('data'))
    {
      const archiving = ['archive_mode=on', `archive_command=test ! -f ${archive}/%f && cp %p ${archive}/%f`]
      await using postgres = await startCluster(folder.path('data'), ['wal_level=replica', ...archiving])
      await runTool('createdb', [...postgres.connect, '--owner=ringpost', 'ringpost'])
      await furnish(postgres.applicationUrl('ringpost'))
      await runTool('pg_basebackup', [
        ...postgres.connect,
        '-D',
        folder.path('base'),
        '--checkpoint=fast',
        '-X',
        'stream',
      ])
      await using pool = openPool(postgres.applicationUrl('ringpost'))
      await addBuyer(pool, { email: 'before@example.test', currency: 'rub', units: 5n })
      await queryOnce(postgres.superuserUrl('postgres'), `SELECT pg_create_restore_point('before the mistake')`)
      await pool.query({ text: `UPDATE users SET email = 'lost-' || id` })
      await queryOnce(postgres.superuserUrl('postgres'), 'SELECT pg_switch_wal()')
    }
    await writeFile(folder.path('base', 'recovery.signal'), '')
    await givenToTools(folder.path('base', 'recovery.signal'))
    const until = [`restore_command=cp ${archive}/%f %p`, `recovery_target_name=before the mistake`]
    await using again = await startCluster(folder.path('base'), [...until, 'recovery_target_action=promote'])
    const target = again.applicationUrl('ringpost')
    await expect
      .poll(() => queryOnce(again.superuserUrl('ringpost'), 'SELECT pg_is_in_recovery() AS recovering'))
      .toEqual([{ recovering: false }])
    await expectWhole(target)
    expect(
      await queryOnce(
        target,
        `SELECT count(*) FILTER (WHERE email LIKE 'lost-%') AS lost,
      count(*) FILTER (WHERE email = 'before@example.test') AS late FROM users`,
      ),
    ).toEqual([{ lost: '0', late: '1' }])
    expect(await serveOn(target, {})).toBe('readyz 200, 1 lock, 0 jobs of the dead')
  },
  LIMIT_MS,
)
