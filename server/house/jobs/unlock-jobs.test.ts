import { expect, test } from 'vitest'
import { Pool } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { endNode, insertNode } from '#server/house/nodes/queries.ts'
import { createTestDatabase } from '#test/harness/database.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { type Lane, startJobs } from './runner.ts'
import { unlockJobs } from './unlock-jobs.ts'

async function openHouse() {
  const stack = new AsyncDisposableStack()
  const { connectionString } = stack.use(await createTestDatabase())
  const log = recordingLog()
  const open = () => stack.use(new Pool({ connectionString, maxConnections: 2, applicationName: 'test', log }))
  const pool = open()
  const startNode = async (tasks: Lane['tasks']) => {
    const nodeId = await insertNode(pool, { host: 'a', pid: 1, version: '0.2.0', commit: null })
    const jobs = await startJobs({ pool: open(), log, lanes: [{ hands: 1, tasks }], nodeId })
    return { nodeId, stop: () => jobs.stop() }
  }
  /** Returns who runs the jobs of a task, and how often each was begun. */
  const runsOf = async (task: string) => {
    const text = 'SELECT locked_by AS worker, attempts FROM graphile_worker.jobs WHERE task_identifier = $1'
    return (await pool.query<{ worker: string | null; attempts: number }>({ text, values: [task] })).rows
  }
  const queue = (task: string) => pool.query({ text: `SELECT graphile_worker.add_job($1)`, values: [task] })
  return { pool, startNode, runsOf, queue, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test('a node runs the jobs of nodes that have ended, at its start and later, and leaves those of living nodes alone', async () => {
  await using house = await openHouse()
  const { pool, runsOf } = house
  const over = Promise.withResolvers<void>()
  const hang = () => over.promise
  const frozen = await house.startNode({ first: hang })
  const living = await house.startNode({ slow: hang })
  await Promise.all(['first', 'slow'].map(house.queue))
  await expect.poll(async () => (await runsOf('first'))[0]?.worker).toMatch(/^node-/)
  await expect.poll(async () => (await runsOf('slow'))[0]?.worker).toMatch(/^node-/)
  const [slow] = await runsOf('slow')
  const [{ worker } = { worker: null }] = await runsOf('first')
  await endNode(pool, frozen.nodeId)

  const done: string[] = []
  const note = (name: string) => async () => {
    done.push(name)
  }
  const own = await house.startNode({ first: note('first'), later: note('later'), slow: note('slow') })
  await expect.poll(() => done).toEqual(['first'])

  // The frozen node takes one more job before it learns that it has ended.
  await transaction(pool, async (tx) => {
    await tx.query({ text: `SELECT graphile_worker.add_job('later', queue_name := 'in-turn')` })
    for (const table of ['jobs', 'job_queues']) {
      const text = `UPDATE graphile_worker._private_${table} SET locked_by = $1, locked_at = now() WHERE locked_by IS NULL`
      await tx.query({ text, values: [worker] })
    }
  })
  await unlockJobs(pool, { nodeId: own.nodeId, own: false })
  await expect.poll(() => done).toEqual(['first', 'later'])
  expect(await runsOf('slow')).toEqual([slow])
  over.resolve()
  await Promise.all([frozen, living, own].map((node) => node.stop()))
  expect(done).toEqual(['first', 'later'])
})

test('a node leaves its running jobs alone, and frees what its earlier runners left', async () => {
  await using house = await openHouse()
  const over = Promise.withResolvers<void>()
  const own = await house.startNode({ slow: () => over.promise })
  await house.queue('slow')
  await expect.poll(async () => (await house.runsOf('slow'))[0]?.attempts).toBe(1)
  const [running] = await house.runsOf('slow')
  await unlockJobs(house.pool, { nodeId: own.nodeId, own: false })
  expect(await house.runsOf('slow')).toEqual([running])
  await unlockJobs(house.pool, { nodeId: own.nodeId, own: true })
  expect((await house.runsOf('slow'))[0]?.worker).not.toBe(running?.worker)
  over.resolve()
  await own.stop()
})
