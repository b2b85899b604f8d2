import { expect, test } from 'vitest'
import { type Lane, startJobs } from '#server/house/jobs/runner.ts'
import { NO_NODE } from '#server/house/nodes/node.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { lanesOf } from './tasks.ts'

const MAILS = { renderer: { renderMail: () => Promise.reject(new Error('no mail is written')) }, smtp: null }

async function queue(t: TestApp, lane: Lane, count: number): Promise<void> {
  for (const task of Object.keys(lane.tasks)) {
    await t.ctx.db.query({
      text: `SELECT graphile_worker.add_job($1, '{}'::json) FROM generate_series(1, $2::integer)`,
      values: [task, count],
    })
  }
}

const named = (lane: Lane, work: () => Promise<void>) =>
  Object.fromEntries(Object.keys(lane.tasks).map((name) => [name, work]))

test('kinds of jobs that hang, all but one together, delay that one not at all', async () => {
  await using t = await startTestApp()
  const lanes = lanesOf(t.ctx, MAILS)
  expect(lanes.length).toBeGreaterThan(4)
  for (const free of lanes) {
    const over = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const stuck = lanes.filter((lane) => lane !== free)
    const full = stuck.map(() => Promise.withResolvers<void>())
    const hanging = stuck.map((lane, place) => {
      let held = 0
      return async () => {
        held += 1
        if (held === lane.hands) full[place]?.resolve()
        await over.promise
      }
    })
    const doubles = stuck.map((lane, place): Lane => {
      return { hands: lane.hands, tasks: named(lane, hanging[place] ?? (() => over.promise)) }
    })
    const ends = async () => done.resolve()
    const ownDouble = { hands: free.hands, tasks: named(free, ends) }
    const jobs = await startJobs({ pool: t.ctx.db, log: t.ctx.log, lanes: [...doubles, ownDouble], nodeId: NO_NODE })
    for (const lane of stuck) await queue(t, lane, lane.hands + 1)
    await Promise.all(full.map(({ promise }) => promise))
    await queue(t, free, 1)
    await done.promise
    over.resolve()
    await jobs.stop()
    await t.ctx.db.query({ text: 'DELETE FROM graphile_worker._private_jobs' })
  }
})
