import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { MINUTE, SECOND } from '#contract/time.ts'
import { isAlive } from '#server/house/db/is-alive.ts'
import type { Log } from '#server/house/log.ts'

const LOOK_EVERY_MS = SECOND / 4
const FIRST_WAIT_MS = SECOND / 4
const MOST_WAIT_MS = MINUTE
/** The maximum number of restarts of PostgreSQL in a row. A run of more than a minute resets the count. */
const MOST_STARTS = 10
const LONG_LIFE_MS = MINUTE

/** Restarts PostgreSQL when it ends while our server runs. The delay doubles with each restart. */
export function keepRunning({
  dataFolder,
  start,
  log,
}: {
  dataFolder: string
  start: () => Promise<unknown>
  log: Log
}): AsyncDisposable {
  const stopped = new AbortController()
  const follow = async (): Promise<void> => {
    let [starts, startedMs] = [0, performance.now()]
    let pid = 0
    while (await pause(LOOK_EVERY_MS, stopped.signal)) {
      if (pid > 0 && isAlive(pid)) continue
      pid = await readPostmaster(dataFolder)
      if (pid > 0 && isAlive(pid)) continue
      if (performance.now() - startedMs > LONG_LIFE_MS) starts = 0
      if (starts === MOST_STARTS) {
        log.error({ starts }, 'the embedded PostgreSQL ends again and again: it is not started any more')
        return
      }
      const waitMs = Math.min(MOST_WAIT_MS, FIRST_WAIT_MS * 2 ** starts)
      starts += 1
      log.error({ starts, waitMs }, 'the embedded PostgreSQL has ended: it is started again')
      if (!(await pause(waitMs, stopped.signal))) return
      startedMs = performance.now()
      await start().catch((error: unknown) => log.error({ error }, 'the embedded PostgreSQL cannot be started'))
    }
  }
  const following = follow()
  return {
    async [Symbol.asyncDispose]() {
      stopped.abort()
      await following
    },
  }
}

/** Returns PostgreSQL's process id, or 0. PostgreSQL removes the PID file on a normal stop, but not when killed. */
async function readPostmaster(dataFolder: string): Promise<number> {
  const text = await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => '')
  return Number.parseInt(text, 10) || 0
}

async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return delay(ms, !signal.aborted, { signal }).catch(() => false)
}
