import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { Pool } from '#server/house/db/pool.ts'
import { type Jobs, startJobs } from '#server/house/jobs/runner.ts'
import { NO_NODE } from '#server/house/nodes/node.ts'
import { startCuttingProxy } from '#test/bad-days/crash-walk/faults/cutting-proxy.ts'
import { openTestPool } from '#test/books/books.ts'
import { recordingLog } from '#test/harness/recording-log.ts'

/** The job runner sends different statements for a job that succeeds and a job that fails at its first try. */
const PAYLOADS = [{ fails: 0 }, { fails: 1 }]

type Lane = AsyncDisposable & { db: Pool; proxied: Pool; proxy: Awaited<ReturnType<typeof startCuttingProxy>> }

async function openLane(): Promise<Lane> {
  await using stack = new AsyncDisposableStack()
  const db = stack.use(await openTestPool())
  const proxy = stack.use(await startCuttingProxy(db.connectionString))
  const log = recordingLog()
  const options = { connectionString: proxy.connectionString, maxConnections: 2, applicationName: 'walk', log }
  const proxied = stack.use(new Pool({ ...options, answerLimitMs: MINUTE }))
  const lane = stack.move()
  return { db, proxied, proxy, [Symbol.asyncDispose]: () => lane.disposeAsync() }
}

/** Runs two jobs, during which the connection may be cut. Returns how often each job was done, and the SQL that was sent. */
async function doJobs(
  { db, proxied, proxy }: Lane,
  told: string,
  isCut = () => true,
): Promise<{ done: number[]; heard: string[] }> {
  const done = PAYLOADS.map(() => 0)
  const tries = PAYLOADS.map(() => 0)
  const tasks = {
    'walk-job': async (payload: unknown) => {
      const { place, fails } = payload as { place: number; fails: number }
      tries[place] = (tries[place] ?? 0) + 1
      if ((tries[place] ?? 0) <= fails) throw new Error('not yet')
      done[place] = (done[place] ?? 0) + 1
    },
  }
  for (const [place, payload] of PAYLOADS.entries()) {
    await db.query({
      text: `SELECT graphile_worker.add_job('walk-job', $1::json)`,
      values: [JSON.stringify({ ...payload, place })],
    })
  }
  const begin = () =>
    startJobs({ pool: proxied, log: proxied.options.log, lanes: [{ hands: 5, tasks }], nodeId: NO_NODE })
  // A job runner that fails to start ends its process, and systemd starts it again.
  const jobs: Jobs = await begin().catch(begin)
  try {
    await expect
      .poll(
        async () => {
          await db.query({ text: 'UPDATE graphile_worker._private_jobs SET run_at = now() WHERE run_at > now()' })
          const { rows } = await db.query<{ left: number }>({
            text: 'SELECT count(*)::integer AS left FROM graphile_worker._private_jobs',
          })
          // The test may see a commit before the proxy gets PostgreSQL's answer to the commit, so `isCut` is polled
          // too.
          return { left: rows[0]?.left, isCut: isCut() }
        },
        { message: told },
      )
      .toEqual({ left: 0, isCut: true })
    return { done, heard: [...proxy.heard] }
  } finally {
    await jobs.stop()
  }
}

test('the job runner is cut off at each of its own statements, before and after it: every job is done all the same', async () => {
  const statements = await listStatements()
  expect(statements.length).toBeGreaterThan(3)
  const cases = statements.flatMap((words) => (['before', 'after'] as const).map((when) => ({ words, when })))
  const work = async (): Promise<void> => {
    await using lane = await openLane()
    for (let next = cases.shift(); next !== undefined; next = cases.shift()) {
      const told = `cut ${next.when} ${next.words}`
      let isCut = false
      lane.proxy.cutAt(next.words, next.when, () => {
        isCut = true
      })
      const { done } = await doJobs(lane, told, () => isCut)
      expect({ told, left: done.filter((times) => times === 0) }).toEqual({ told, left: [] })
    }
  }
  // Cases run at the same time, because each case waits until the job runner has started anew.
  await Promise.all(Array.from({ length: LANES }, work))
})

const LANES = 4

async function listStatements(): Promise<string[]> {
  await using lane = await openLane()
  const { done, heard } = await doJobs(lane, 'nothing is cut')
  expect(done).toEqual([1, 1])
  return [...new Set(heard)]
}
