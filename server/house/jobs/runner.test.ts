import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Pool } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { NO_NODE } from '#server/house/nodes/node.ts'
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
  const jobs = await startJobs({
    pool,
    log,
    lanes: [{ hands: 1, tasks: { nothing: async () => undefined } }],
    nodeId: NO_NODE,
  })
  await expect.poll(() => proxy.silenced()).toBe(1)
  await jobs.stop()
  const unlistened = () => log.lines.filter(({ sentence }) => sentence.includes('attempting to UNLISTEN')).length
  await expect.poll(unlistened).toBe(2)
  await turn()
  expect(unhandled).toEqual([])
})

test('a job of queue_job sends no NOTIFY: its own process is woken, and a look finds what another one queued', async () => {
  await using stack = new AsyncDisposableStack()
  const { connectionString } = stack.use(await createTestDatabase())
  const log = recordingLog()
  const open = () => stack.use(new Pool({ connectionString, maxConnections: 2, applicationName: 'test', log }))
  const [pool, elsewhere] = [open(), open()]
  const listener = await elsewhere.pg.connect()
  const notified: (string | undefined)[] = []
  listener.on('notification', ({ payload }) => notified.push(payload))
  const mark = async (name: string) => {
    await elsewhere.query({ text: `SELECT pg_notify('jobs:insert', $1)`, values: [name] })
    await expect.poll(() => notified).toContain(name)
  }
  await listener.query('LISTEN "jobs:insert"')
  const done: unknown[] = []
  const note = async (payload: unknown) => {
    done.push(payload)
  }
  const jobs = await startJobs({ pool, log, lanes: [{ hands: 2, tasks: { note } }], nodeId: NO_NODE })
  stack.defer(() => jobs.stop())
  const queue = (name: string) => ({
    text: `SELECT queue_job('note', json_build_object('name', $1::text), 3), queue_job('note', '{}', 3, 0, 'in-turn')`,
    values: [name],
  })
  await pool.query({ ...queue('first'), queuesJobs: true })
  await expect.poll(() => done.length).toBe(2)
  await mark('begin')
  await transaction(pool, (tx) => tx.query({ ...queue('in a transaction'), queuesJobs: true }))
  await expect.poll(() => done.length).toBe(4)
  await elsewhere.query(queue('by another process'))
  await expect.poll(() => done.length).toBe(6)
  await mark('end')
  listener.release()
  expect(notified.slice(notified.indexOf('begin'))).toEqual(['begin', 'end'])
  expect(done).toEqual(expect.arrayContaining([{ name: 'in a transaction' }, { name: 'by another process' }, {}]))
})
