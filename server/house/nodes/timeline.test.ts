import { expect, test } from 'vitest'
import { migrate } from '#server/house/db/migrate.ts'
import { Pool } from '#server/house/db/pool.ts'
import {
  alterSystem,
  hasDebianPostgres,
  makeCluster,
  runTool,
  startCluster,
  startStandBy,
  toolFolder,
} from '#test/harness/postgres/debian-postgres.ts'
import { fastestPlace, queryOnce } from '#test/harness/postgres/temporary-postgres.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { insertNode } from './queries.ts'
import { TimelineWatch } from './timeline.ts'
import { findFailOver } from './timeline-queries.ts'

const NODE = { host: 'elsewhere', pid: 1, version: '0.1.0', commit: null }
const SETTINGS = ['fsync=off', 'jit=off']
const FAILED_OVER = 'PostgreSQL failed over: changes that the old primary had not copied are lost'

test.skipIf(!hasDebianPostgres())(
  'after a fail-over that lost changes, no lost id is given again, and the log says so once',
  { timeout: 60_000 },
  async () => {
    await using folder = await toolFolder(await fastestPlace())
    const [old, next] = [folder.path('a'), folder.path('b')]
    await makeCluster(old)
    await using primary = await startCluster(old, SETTINGS)
    await runTool('createdb', [...primary.connect, '--owner=ringpost', 'ringpost'])
    const log = recordingLog()
    const watch = new TimelineWatch()
    const open = (connectionString: string) =>
      new Pool({ connectionString, maxConnections: 2, applicationName: 'x', log })
    let lost = 0n
    {
      await using pool = open(primary.applicationUrl('ringpost'))
      await migrate(pool)
      await watch.note(pool, log)
      {
        await using _standBy = await startStandBy(primary, next, SETTINGS)
        await alterSystem(primary, 'synchronous_standby_names', '')
      }
      // The stand-by is away, so the old primary takes these ids with it.
      for (let node = 0; node < 100; node += 1) lost = await insertNode(pool, NODE)
      await watch.note(pool, log)
      expect(log.lines).toEqual([])
    }
    await primary[Symbol.asyncDispose]()
    await using promoted = await startCluster(next, SETTINGS)
    await runTool('pg_ctl', ['promote', '-D', next, '-w'])
    await using pool = open(promoted.applicationUrl('ringpost'))
    expect(await findFailOver(pool, '1 day')).toBeNull()
    await watch.note(pool, log)
    await watch.note(pool, log)
    expect(log.lines.map(({ sentence }) => sentence)).toEqual([FAILED_OVER])
    expect(await findFailOver(pool, '1 day')).toMatch(/ 2$/)
    expect(await insertNode(pool, NODE)).toBeGreaterThan(lost)

    // A hosted PostgreSQL may not let its users ask for the timeline.
    const owner = promoted.superuserUrl('ringpost')
    await queryOnce(owner, 'REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC')
    await queryOnce(owner, 'TRUNCATE timelines')
    const told = log.lines.length
    await watch.note(pool, log)
    expect(log.lines).toHaveLength(told)
  },
)
