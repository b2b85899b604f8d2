import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  DEBIAN_BIN,
  makeCluster,
  runTool,
  startCluster,
  startStandBy,
  urlOfHosts,
} from '#test/harness/postgres/debian-postgres.ts'

// A node holds up to 26 connections. The machine's own end loses nothing that anybody keeps.
const SETTINGS = ['max_connections=150', 'fsync=off', 'jit=off']

export type PostgresPair = AsyncDisposable & {
  /** The address of both, for `DATABASE_URL`. */
  url: string
  /** The process id of the primary. */
  primaryPid: string
  /** A shell command that makes the stand-by the primary. */
  promote: string
}

/** Starts a primary and its synchronous stand-by below `folder`. */
export async function startPostgresPair(folder: string): Promise<PostgresPair> {
  await using stack = new AsyncDisposableStack()
  const [first, second] = [join(folder, 'a'), join(folder, 'b')]
  await makeCluster(first)
  const primary = stack.use(await startCluster(first, SETTINGS))
  await runTool('createdb', [...primary.connect, '--owner=ringpost', 'ringpost'])
  const standBy = await startStandBy(primary, second, SETTINGS)
  const [primaryPid = ''] = (await readFile(join(first, 'postmaster.pid'), 'utf8')).split('\n')
  // The stand-by ends last: a primary that is shut down sends it everything first.
  const running = new AsyncDisposableStack()
  running.use(standBy)
  running.use(stack.move())
  return {
    url: urlOfHosts(first, second),
    primaryPid,
    promote: `${DEBIAN_BIN}/psql '${standBy.superuserUrl('postgres')}' -c 'SELECT pg_promote()'`,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
