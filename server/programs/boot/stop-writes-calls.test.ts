import { expect, test } from 'vitest'
import { keyCallLogOf } from '#server/core/accounts/api-keys/call-log.ts'
import { readConfig } from '#server/house/config/config.ts'
import { Pool } from '#server/house/db/pool.ts'
import { createTestDatabase } from '#test/harness/database.ts'
import { queryOnce, temporaryDataDir } from '#test/harness/postgres/temporary-postgres.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { buildContext } from './build-context.ts'
import { startServer } from './start.ts'

test('the last calls of API keys are written at a stop', async () => {
  await using database = await createTestDatabase()
  await queryOnce(
    database.connectionString,
    `INSERT INTO settings (key, value, updated_at) VALUES ('demo', 'true', now());
    INSERT INTO suppliers (code, kind, settings, created_at) VALUES ('simulator', 'simulator', '{"services": ["tg"]}', now())`,
  )
  await using folder = await temporaryDataDir()
  const { config } = readConfig({ DEMO: '1', PORT: '0', REALTIME_PORT: '0', DATA_DIR: folder.dataDir })
  const log = recordingLog()
  const { connectionString } = database
  await using pool = new Pool({ connectionString, maxConnections: 8, applicationName: 'test', log })
  const ctx = buildContext({ config, secrets: { secretKey: 'a secret of tests, long enough to pass' }, pool, log })
  const running = await startServer(ctx)
  const { rows: keys } = await ctx.db.query<{ id: number }>({ text: 'SELECT id FROM api_keys' })
  const [key] = keys
  if (key === undefined) throw new Error('the demo has no key')
  const call = { call: 'getBalance', result: 'ACCESS_BALANCE', address: '127.0.0.1', now: ctx.clock.now() }
  keyCallLogOf(ctx).note(key.id, call)
  await running[Symbol.asyncDispose]()
  const { rows } = await ctx.db.query({
    text: `SELECT key_id, call, count FROM api_key_calls WHERE call = 'getBalance'`,
  })
  expect(rows).toEqual([{ key_id: key.id, call: 'getBalance', count: 1 }])
})
