import { expect, test } from 'vitest'
import { Pool } from '#server/house/db/pool.ts'
import { createTestDatabase } from '#test/harness/database.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { wakeWorkers } from './wake-workers.ts'

test('a lane that ends fails no statement that queues a job, and the other lanes are woken', async () => {
  await using stack = new AsyncDisposableStack()
  const { connectionString } = stack.use(await createTestDatabase())
  const log = recordingLog()
  const pool = stack.use(new Pool({ connectionString, maxConnections: 2, applicationName: 'test', log }))
  const woken: number[] = []
  const ends = () => {
    throw new Error('nudge called after worker terminated')
  }
  const waking = wakeWorkers(pool, log, () => [{ wake: ends }, { wake: (jobs) => woken.push(jobs) }])
  stack.defer(() => waking.stop())
  pool.queued = waking.queued
  const queue = { text: 'SELECT 1', queuesJobs: true } as const
  for (let job = 0; job < 4; job += 1) expect(await pool.query(queue)).toMatchObject({ rowCount: 1 })
  await expect.poll(() => woken.reduce((sum, jobs) => sum + jobs, 0)).toBe(4)
  expect(woken[0]).toBe(1)
  expect(log.lines.map(({ sentence }) => sentence)).toContain('a lane that ends was not woken')
})
