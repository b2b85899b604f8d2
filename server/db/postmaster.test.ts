import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { recordingLog } from '#test/recording-log.ts'
import { queryOnce, quietLog, temporaryDataDir } from '#test/temporary-postgres.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { preparePlace } from './postgres-place.ts'
import { isPostmaster } from './postmaster.ts'

test('a start after a killed server finds its PostgreSQL running and keeps the data', async () => {
  await using folder = await temporaryDataDir({ onDisk: true })
  const starter = startInProcess(folder.dataDir)
  const { pid, url } = await starter.ready
  await queryOnce(url, 'CREATE TABLE kept AS SELECT 7 AS n')
  await starter.kill()
  await using postgres = await start(folder.dataDir)
  expect(postgres.reused).toBe(true)
  expect(postgres.pid).toBe(pid)
  expect(await queryOnce(postgres.connectionString('ringpost'), 'SELECT n FROM kept')).toEqual([{ n: 7 }])
  await postgres.stop()
  const { dataFolder } = await preparePlace(folder.dataDir)
  expect(await isPostmaster(pid, dataFolder)).toBe(false)
})

test('the file of a PostgreSQL that was killed does not stop the next start', async () => {
  await using folder = await temporaryDataDir({ onDisk: true })
  const starter = startInProcess(folder.dataDir, { durable: true })
  const { pid, url } = await starter.ready
  await queryOnce(url, 'CREATE TABLE kept AS SELECT 7 AS n')
  await starter.kill()
  process.kill(pid, 'SIGKILL')
  await using postgres = await start(folder.dataDir)
  expect(postgres.reused).toBe(false)
  expect(await queryOnce(postgres.connectionString('ringpost'), 'SELECT n FROM kept')).toEqual([{ n: 7 }])
})

test('a postmaster.pid whose number now belongs to another program does not stop the start', async () => {
  await using folder = await temporaryDataDir({ onDisk: true })
  await using first = await start(folder.dataDir)
  await first.stop()
  const place = await preparePlace(folder.dataDir)
  const stranger = spawn('sleep', ['600'], { ...place.owner })
  await once(stranger, 'spawn')
  const lines = [stranger.pid, place.dataFolder, 1, 5432, place.socketFolder, '', '', 'ready']
  await writeFile(join(place.dataFolder, 'postmaster.pid'), `${lines.join('\n')}\n`)
  await using postgres = await start(folder.dataDir)
  expect(postgres.reused).toBe(false)
  expect(postgres.pid).not.toBe(stranger.pid)
  await postgres.stop()
  // Neither the start nor the stop touched the program that has the number.
  expect(stranger.exitCode ?? stranger.signalCode).toBe(null)
  stranger.kill()
})

test('PostgreSQL is started again when it dies, and stays stopped after stop()', async () => {
  await using folder = await temporaryDataDir({ onDisk: true })
  const log = recordingLog()
  await using postgres = await startEmbeddedPostgres({ dataDir: folder.dataDir, log, durable: false })
  const before = postgres.pid
  for (let round = 1; round <= 2; round += 1) {
    const again = log.next('the embedded PostgreSQL runs again')
    const victim = postgres.pid
    process.kill(victim, 'SIGKILL')
    await again
    expect(postgres.pid).not.toBe(victim)
    expect(await queryOnce(postgres.connectionString('ringpost'), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  }
  const after = postgres.pid
  await postgres.stop()
  await postgres.stop()
  const { dataFolder } = await preparePlace(folder.dataDir)
  for (const pid of [before, after]) expect(await isPostmaster(pid, dataFolder)).toBe(false)
})

test('a server that shares a PostgreSQL it did not start brings it up again as well', async () => {
  await using folder = await temporaryDataDir({ onDisk: true })
  const starter = startInProcess(folder.dataDir)
  const { pid } = await starter.ready
  const log = recordingLog()
  await using postgres = await startEmbeddedPostgres({ dataDir: folder.dataDir, log, durable: false })
  expect(postgres.reused).toBe(true)
  const again = log.next('the embedded PostgreSQL runs again')
  // Both servers see the death and both start one: they must end with the same.
  process.kill(pid, 'SIGKILL')
  await again
  expect(await queryOnce(postgres.connectionString('ringpost'), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await starter.kill()
  await postgres.stop()
})

test('two processes and two calls that start at once on a fresh folder end with one PostgreSQL', async () => {
  await using folder = await temporaryDataDir({ onDisk: true })
  const processes = [startInProcess(folder.dataDir), startInProcess(folder.dataDir)]
  const own = await Promise.all([start(folder.dataDir), start(folder.dataDir)])
  const all: { pid: number; reused: boolean }[] = [...own, ...(await Promise.all(processes.map((each) => each.ready)))]
  expect(new Set(all.map((each) => each.pid)).size).toBe(1)
  expect(all.filter((each) => !each.reused)).toHaveLength(1)
  for (const each of processes) await each.kill()
  await Promise.all(own.map((each) => each.stop()))
})

function start(dataDir: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, log: quietLog, durable: false })
}

type Started = { pid: number; reused: boolean; url: string }

/** A server process that has started PostgreSQL and then does nothing until it is killed. */
function startInProcess(dataDir: string, { durable = false } = {}): { ready: Promise<Started>; kill(): Promise<void> } {
  const program = `
    const { startEmbeddedPostgres } = await import('#server/db/embedded-postgres.ts')
    const say = () => undefined
    const log = { debug: say, info: say, warn: say, error: console.error }
    const postgres = await startEmbeddedPostgres({ dataDir: process.argv[1], log, durable: ${durable} })
    console.log(JSON.stringify({ pid: postgres.pid, reused: postgres.reused, url: postgres.connectionString('ringpost') }))
    setInterval(() => undefined, 60_000)
  `
  const cwd = fileURLToPath(new URL('../../', import.meta.url))
  const args = ['--input-type=module', '-e', program, dataDir]
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const line = once(createInterface(child.stdout), 'line')
  const ready = Promise.race([
    line.then(([text]) => JSON.parse(String(text)) as Started),
    ended.then(([code]) => Promise.reject(new Error(`the starting process ended with ${code}`))),
  ])
  return {
    ready,
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
