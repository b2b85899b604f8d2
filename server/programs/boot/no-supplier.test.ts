import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { readConfig } from '#server/house/config/config.ts'
import { Pool } from '#server/house/db/pool.ts'
import { createTestDatabase } from '#test/harness/database.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { CLI_SECRET_KEY, typed, WHY } from '#test/harness/typed.ts'
import { buildContext } from './build-context.ts'
import { startServer } from './start.ts'

const SERVICE = {
  DEMO: '0',
  PUBLIC_URL: 'http://localhost',
  SMTP_URL: 'smtp://127.0.0.1:1',
  SECRET_KEY: CLI_SECRET_KEY,
  PORT: '0',
  REALTIME_PORT: '0',
  ALARM_MAIL: 'night@example.test',
}

test('OP-8: a service whose only supplier cannot start serves all but sales, and names supplier and reason', async () => {
  await using database = await createTestDatabase()
  const { connectionString } = database
  const squatter = createServer().listen(0, '127.0.0.1')
  await once(squatter, 'listening')
  const { port } = squatter.address() as AddressInfo
  const settings = {
    mode: 'server',
    currency: 'rub',
    services: [{ code: 'tg', cost: '5' }],
    listen: { host: '127.0.0.1', port },
    peers: [{ systemId: 'bank', password: 'secret' }],
  }
  await typed(database, 'supplier:add', 'smpp', '--code', 'range', '--settings', JSON.stringify(settings), ...WHY)
  const log = recordingLog()
  await using pool = new Pool({ connectionString, maxConnections: 8, applicationName: 'test', log })
  const { config } = readConfig({ ...SERVICE, DATABASE_URL: connectionString })
  await using server = await startServer(buildContext({ config, secrets: { secretKey: CLI_SECRET_KEY }, pool, log }))
  const statusOf = async (path: string) => (await fetch(`${server.url}${path}`)).status
  expect(await statusOf('/readyz')).toBe(200)
  expect(await statusOf('/api/content/settings')).toBe(200)
  expect(await (await fetch(`${server.url}/api/price?service_id=tg&country_id=2`)).json()).toMatchObject({
    data: { count: 0 },
  })
  expect(log.lines).toContainEqual({
    level: 'error',
    sentence: 'none of the suppliers could be started: nothing is sold until one is',
    fields: { suppliers: [expect.stringMatching(/^range: .*EADDRINUSE/)] },
  })
  expect((await typed(database, 'supplier:list')).out).toMatch(/^range \(smpp\): .*DOWN, sells nothing.*EADDRINUSE/)
  squatter.close()
})
