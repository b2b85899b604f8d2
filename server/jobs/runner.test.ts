import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Pool } from '#server/db/pool.ts'
import { startPostgresProxy } from '#test/fakes/postgres-proxy.ts'
import { createTestDatabase } from '#test/harness/database.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { startJobs } from './runner.ts'

test('a runner that is stopped while PostgreSQL does not answer its LISTEN rejects nothing that would end the process', async () => {
  await using stack = new AsyncDisposableStack()
  const unhandled: unknown[] = []
  const note = (error: unknown) => {
    unhandled.push(error)
  }
  process.on('unhandledRejection', note)
  stack.defer(() => {
    process.off('unhandledRejection', note)
  })
  const database = stack.use(await createTestDatabase())
  const proxy = stack.use(await startPostgresProxy(database.connectionString, () => ({ silentFrom: 'LISTEN "jobs' })))
  const log = recordingLog()
  const { connectionString } = proxy
  const pool = stack.use(
    new Pool({ connectionString, maxConnections: 2, applicationName: 'test', log, answerLimitMs: 500 }),
  )
  const jobs = await startJobs({ pool, log, lanes: [{ hands: 1, tasks: { nothing: async () => undefined } }] })
  await expect.poll(() => proxy.silenced()).toBe(1)
  await jobs.stop()
  const unlistened = () => log.lines.filter(({ sentence }) => sentence.includes('attempting to UNLISTEN')).length
  await expect.poll(unlistened).toBe(2)
  await turn()
  expect(unhandled).toEqual([])
})
