import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { tokenReplySchema } from '#contract/account.ts'
import { readConfig } from '#server/house/config/config.ts'
import { openDatabase } from '#server/house/db/open-database.ts'
import { SLOW_LIMIT_MS } from '#server/house/db/pool.ts'
import { buildContext } from '#server/programs/boot/build-context.ts'
import { readSettings } from '#server/programs/boot/missing-setup.ts'
import { startServer } from '#server/programs/boot/start.ts'
import { demoBuyer } from '#server/programs/demo/fill-demo.ts'
import { createTestDatabase } from '#test/harness/database.ts'
import { listen } from '#test/harness/live-listener.ts'
import { type PgBouncer, POOL_SIZE, SCALE_PAGE, startPgBouncer } from '#test/harness/postgres/pgbouncer.ts'
import { queryOnce, temporaryDataDir } from '#test/harness/postgres/temporary-postgres.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { typedIn, WHY } from '#test/harness/typed.ts'
import * as renderer from '#web/entry-mails.tsx'
import { buy, expectLedgerRight, request, until } from './real-service.ts'

const pgbouncer = requireProgram('pgbouncer')
const SECRET_KEY = 'a secret of tests, long enough to pass'
const NEWCOMER = 'newcomer@example.test'

/** Starts the demo's service by the addresses of these settings. */
async function startDemo(environment: Record<string, string>) {
  await using stack = new AsyncDisposableStack()
  const log = recordingLog()
  const { config } = readConfig({ PORT: '0', REALTIME_PORT: '0', EARLY_CANCEL_SECONDS: '0', ...environment })
  const { pool } = stack.use(await openDatabase({ config, log, applicationName: 'ringpost' }))
  const ctx = buildContext({ config, secrets: { secretKey: SECRET_KEY }, pool, log })
  const { url } = stack.use(await startServer(ctx, { mails: { renderer, smtp: null } }))
  const running = stack.move()
  const post = (path: string, body: object) =>
    fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return {
    ctx,
    log,
    url,
    post,
    fetch: (path: string, { token, ...init }: RequestInit & { token?: string } = {}) =>
      fetch(url + path, { ...init, headers: { authorization: `Bearer ${token}` } }),
    async signIn() {
      const reply = await post('/api/login', demoBuyer)
      const { token, user } = tokenReplySchema.parse(await reply.json())
      return { id: user.id, token, key: token }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function prepare(program: string) {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await temporaryDataDir())
  const database = stack.use(await createTestDatabase())
  const pooler = stack.use(await startPgBouncer(program, database))
  const environment = {
    DATABASE_URL: pooler.connectionString,
    DATABASE_DIRECT_URL: database.connectionString,
    DATABASE_PREPARED_STATEMENTS: 'off',
    DATA_DIR: folder.dataDir,
    DEMO: '1',
  }
  const kept = stack.move()
  return { database, pooler, environment, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

test.skipIf(pgbouncer === undefined)(
  'behind PgBouncer in transaction mode people sign in, buy, get codes and letters, and cancel',
  async () => {
    await using house = await prepare(pgbouncer ?? '')
    await using demo = await startDemo(house.environment)
    // PostgreSQL itself ends this statement, after the time-out that only PgBouncer has set.
    const slow = demo.ctx.db.query({ text: 'SELECT pg_sleep(60)', limitMs: SLOW_LIMIT_MS }).catch((error) => error)
    const buyer = await demo.signIn()
    using live = await listen(demo, buyer)
    const bought = await buy(demo.url, buyer, 'press-first')
    expect(bought.status, JSON.stringify(bought.body)).toBe(201)
    expect(await live.next('NewCode')).toMatchObject({ record: { id: bought.body.data?.id } })

    const keys = Array.from({ length: 12 }, (_, place) => `press-${place + 10}`)
    const many = await Promise.all(keys.map((key) => buy(demo.url, buyer, key)))
    expect(many.map(({ status }) => status)).toEqual(keys.map(() => 201))
    // The code of a number of another operator may come before the cancel does.
    const silent = await buy(demo.url, buyer, 'press-silent', { operator_id: 'silent' })
    const cancelled = await request(demo.url, buyer, `/api/v1/activations/${silent.body.data?.id}/cancel`, {
      method: 'POST',
    })
    expect(cancelled.status).toBe(200)

    const form = {
      email: NEWCOMER,
      password: 'a long enough password',
      password_confirmation: 'a long enough password',
      agree: true,
    }
    expect((await demo.post('/api/register', form)).status).toBe(200)
    await until(async () => (await (await fetch(`${demo.url}/demo/mail.json`)).text()).includes(NEWCOMER))
    expect(await slow).toMatchObject({ code: '57014', message: 'canceling statement due to statement timeout' })
    expect(demo.log.lines.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([])
  },
)

test.skipIf(pgbouncer === undefined)(
  'a start again, a second process and the commands find the session that they need',
  async () => {
    await using house = await prepare(pgbouncer ?? '')
    {
      await using first = await startDemo(house.environment)
      const buyer = await first.signIn()
      expect((await buy(first.url, buyer, 'press-before')).status).toBe(201)
      await expect(startDemo(house.environment)).rejects.toThrow('another Ringpost is already running on this database')
    }
    await using again = await startDemo(house.environment)
    expect((await buy(again.url, await again.signIn(), 'press-after')).status).toBe(201)
    const { rows } = await again.ctx.db.query<{ name: string }>({
      text: `SELECT application_name AS name FROM pg_stat_activity WHERE datname = current_database()
      AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory')`,
    })
    expect(rows).toEqual([{ name: 'ringpost lock' }])
    // More connections listen for jobs than PgBouncer may open.
    const listening = await again.ctx.db.query({
      text: `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN "jobs:%'`,
    })
    expect(listening.rowCount).toBeGreaterThan(POOL_SIZE)
    const rehearsed = await typedIn(house.environment, 'rate:set', 'usd', '91', ...WHY, '--dry-run')
    expect(rehearsed).toMatchObject({ code: 0, out: expect.stringContaining('Nothing was changed') })
    expect(await typedIn(house.environment, 'ledger:verify')).toMatchObject({ code: 0 })
    await expectLedgerRight(again.ctx.db)
  },
)

test.skipIf(pgbouncer === undefined)('a PgBouncer that drops the time-outs is named at the start', async () => {
  await using house = await prepare(pgbouncer ?? '')
  const lacks = (pooler: PgBouncer[keyof PgBouncer & string]) =>
    readSettings({ DATABASE_URL: String(pooler) }).catch((error: unknown) => String(error))
  const query = /connect_query='.*'/.exec(await readFile(SCALE_PAGE, 'utf8'))?.[0]
  const words = `the pooler drops the time-outs: set ${query}`
  expect(await lacks(house.pooler.untimed)).toContain(words)
  expect(await lacks(house.pooler.connectionString)).not.toContain('the pooler drops')
  await queryOnce(house.pooler.connectionString, 'SELECT')
})

test.skipIf(pgbouncer === undefined)('a direct address that is a pooler is refused', async () => {
  await using house = await prepare(pgbouncer ?? '')
  const { connectionString } = house.pooler
  const environment = { ...house.environment, DATABASE_DIRECT_URL: connectionString }
  await expect(startDemo(environment)).rejects.toThrow('the direct address is a pooler')
})
