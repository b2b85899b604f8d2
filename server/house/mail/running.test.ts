import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { readConfig } from '#server/house/config/config.ts'
import { Pool } from '#server/house/db/pool.ts'
import { buildContext } from '#server/programs/boot/build-context.ts'
import { startServer } from '#server/programs/boot/start.ts'
import { startMailServer } from '#test/fakes/mail-server.ts'
import { createTestDatabase } from '#test/harness/database.ts'
import { temporaryDataDir } from '#test/harness/postgres/temporary-postgres.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import * as renderer from '#web/entry-mails.tsx'
import { queueMail } from './queue-mail.ts'
import { openSmtp } from './smtp.ts'

async function startHouse(smtpUrl: string) {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase())
  const { dataDir } = stack.use(await temporaryDataDir())
  const log = recordingLog()
  const { connectionString } = database
  const pool = stack.use(new Pool({ connectionString, maxConnections: 8, applicationName: 'test', log }))
  const { config } = readConfig({ DEMO: '1', PORT: '0', REALTIME_PORT: '0', DATA_DIR: dataDir })
  const ctx = buildContext({ config, secrets: { secretKey: 'a secret of tests, long enough to pass' }, pool, log })
  const server = await startServer(ctx, { mails: { renderer, smtp: await openSmtp(smtpUrl) } })
  const kept = stack.move()
  return {
    ctx,
    stop: () => server[Symbol.asyncDispose](),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

const mail = { to: 'anna@example.org', locale: 'en', mail: { kind: 'two-factor-on' } } as const

test('the running service sends what is queued', async () => {
  const arrived = Promise.withResolvers<string>()
  await using server = await startMailServer({
    onRcptTo: ({ address }, _session, done) => {
      arrived.resolve(address)
      done()
    },
  })
  await using house = await startHouse(server.url())
  await queueMail(house.ctx, house.ctx.db, mail)
  expect(await arrived.promise).toBe('anna@example.org')
  await house.stop()
  expect(server.received).toMatchObject([{ to: ['anna@example.org'] }])
})

test('a mail server that hangs does not hold up the end, and the mail waits for the next start', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  await using house = await startHouse(`smtp://127.0.0.1:${port}`)
  const connected = once(silent, 'connection')
  await queueMail(house.ctx, house.ctx.db, mail)
  const [socket] = await connected
  const cut = once(socket.resume(), 'close')
  await house.stop()
  await cut
  const { rows } = await house.ctx.db.query<{ last_error: string }>({
    text: 'SELECT last_error FROM graphile_worker._private_jobs',
  })
  expect(rows).toHaveLength(1)
  expect(rows[0]?.last_error).not.toContain('Greeting never received')
  silent.close()
})
