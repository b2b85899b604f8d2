import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { explainStart } from '#server/programs/boot/explain-start.ts'
import { startServer } from '#server/programs/boot/start.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { isDatabaseAway } from './constraint.ts'
import { Pool } from './pool.ts'
import { waitForDatabase } from './wait-for-database.ts'

const SOCKET = '.s.PGSQL.5432'
const LISTENING = `require('node:net').createServer().listen({ path: process.argv[1], backlog: 1 }, () => console.log('up'))`

async function startFrozenSocket() {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await temporaryFolder())
  const path = folder.path(SOCKET)
  const child: ChildProcess = spawn(process.execPath, ['-e', LISTENING, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  stack.defer(() => {
    child.kill('SIGKILL')
  })
  if (child.stdout !== null) await once(child.stdout, 'data')
  child.kill('SIGSTOP')
  const waiting: Socket[] = []
  stack.defer(() => {
    for (const socket of waiting) socket.destroy()
  })
  let refusal: unknown
  while (refusal === undefined) {
    const socket = connect(path)
    waiting.push(socket)
    refusal = await once(socket, 'connect').then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code,
    )
  }
  const kept = stack.move()
  return { folder: folder.root, refusal, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

const poolAt = (connectionString: string, log = recordingLog()) =>
  new Pool({ connectionString, maxConnections: 4, applicationName: 'test', log })

const failureOf = (pool: Pool): Promise<unknown> =>
  pool.query({ text: 'SELECT 1' }).then(
    () => expect.fail('it answered'),
    (error: unknown) => error,
  )

// Regression test for F-2: once a frozen PostgreSQL's queue was full, each request got 500 with a stack trace.
test('F-2: behind a full queue every door says 503 and when to come again, in its own words, and the log has one line', async () => {
  await using t = await startTestApp()
  const buyer = await t.makeUser()
  const key = await t.makeApiKey(buyer)
  await using frozen = await startFrozenSocket()
  expect(frozen.refusal).toBe('EAGAIN')
  await using away = poolAt(`postgres://ringpost@${encodeURIComponent(frozen.folder)}/ringpost`, t.log)
  const patient = t.ctx.db
  t.ctx.db = away
  const doors: [path: string, init: RequestInit & { token?: string }, words: string][] = [
    ['/api/user', { token: buyer.token }, '"code":"DATABASE_UNAVAILABLE"'],
    ['/api/v1/history', { token: key }, '"code":"DATABASE_UNAVAILABLE"'],
    ['/readyz', {}, '"code":"DATABASE_UNAVAILABLE"'],
    [`/stubs/handler_api.php?api_key=${key}&action=getBalance`, {}, 'ERROR_SQL'],
    ['/v1/user/profile', { token: key }, 'internal error'],
  ]
  for (let round = 0; round < 20; round += 1) {
    t.clock.advance(2_000)
    for (const [path, init, words] of doors) {
      const reply = await t.fetch(path, init)
      expect([path, reply.status, reply.headers.get('retry-after')]).toEqual([path, 503, '2'])
      expect(await reply.text()).toContain(words)
    }
  }
  t.ctx.db = patient
  expect(t.log.lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([
    expect.objectContaining({ sentence: 'the database is away' }),
  ])
})

test('F-2: a host without a name, a route or a listener is away, and so is whatever else ends an attempt to connect', async () => {
  await using nameless = poolAt('postgres://ringpost@database.invalid/ringpost')
  await using routeless = poolAt('postgres://ringpost@255.255.255.255/ringpost')
  await using deaf = poolAt('postgres://ringpost@localhost:1/ringpost')
  await using folderless = poolAt(`postgres://ringpost@${encodeURIComponent('/nowhere')}/ringpost`)
  for (const pool of [nameless, routeless, deaf, folderless]) {
    const error = await failureOf(pool)
    expect([String(error), isDatabaseAway(error), pool.outages.away]).toEqual([String(error), true, true])
  }
  const failed = (code: string, syscall: string) => Object.assign(new Error(`${syscall} ${code}`), { code, syscall })
  for (const code of ['EAGAIN', 'EMFILE', 'ENFILE', 'ENOBUFS', 'EADDRNOTAVAIL', 'EHOSTUNREACH', 'ENETUNREACH']) {
    expect([code, isDatabaseAway(failed(code, 'connect'))]).toEqual([code, true])
  }
  for (const code of ['ENOTFOUND', 'EAI_AGAIN']) expect(isDatabaseAway(failed(code, 'getaddrinfo'))).toBe(true)
  for (const code of ['EHOSTUNREACH', 'ENETDOWN', 'ETIMEDOUT']) expect(isDatabaseAway(failed(code, 'read'))).toBe(true)
  for (const code of ['ENOENT', 'EMFILE', 'EAGAIN']) expect(isDatabaseAway(failed(code, 'open'))).toBe(false)
})

test('F-2: a start waits for a host that has no name yet, and says so once when it goes on', async () => {
  await using t = await startTestApp()
  await using nameless = poolAt('postgres://ringpost@database.invalid/ringpost')
  const { ctx, log } = t
  const patient = ctx.db
  ctx.config.databaseWaitSeconds = 0
  const refused = await startServer({ ...ctx, db: nameless }).catch(explainStart)
  expect(refused).toMatch(/^the database cannot be reached: getaddrinfo (ENOTFOUND|EAI_AGAIN) database\.invalid$/)
  ctx.config.databaseWaitSeconds = 600
  let tries = 0
  const found = await waitForDatabase(ctx, () => {
    tries += 1
    return (tries < 3 ? nameless : patient).query<{ one: number }>({ text: 'SELECT 1 AS one' })
  })
  expect([tries, found.rows]).toEqual([3, [{ one: 1 }]])
  const waits = 'the database cannot be used yet: the start waits for it'
  expect(log.lines.filter(({ sentence }) => sentence === waits)).toHaveLength(1)
})
