import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isPostgresRunning, queryOnce, quietLog, temporaryDataDir } from '#test/harness/postgres/temporary-postgres.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { preparePlace } from './postgres-place.ts'

test('a start after a killed server finds its PostgreSQL running and keeps the data', async () => {
  await using folder = await temporaryDataDir({ onDisk: true })
  const starter = startInProcess(folder.dataDir)
  const { pid, url } = await starter.ready
  await queryOnce(url, 'CREATE TABLE kept AS SELECT 7 AS n')
  await starter.kill()
  await using postgres = await start(folder.dataDir)
  expect(postgres.reused).toBe(true)
  expect(await mainPid(folder.dataDir)).toBe(pid)
  expect(await queryOnce(postgres.connectionString('ringpost'), 'SELECT n FROM kept')).toEqual([{ n: 7 }])
  await postgres.stop()
  await postgres.stop()
  expect(await isPostgresRunning(folder.dataDir)).toBe(false)
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

test('a postmaster.pid whose number now belongs to another program is told with what to do', async () => {
  await using folder = await temporaryDataDir({ onDisk: true })
  await using first = await start(folder.dataDir)
  await first.stop()
  const place = await preparePlace(folder.dataDir)
  const stranger = spawn('sleep', ['600'], { ...place.owner })
  await once(stranger, 'spawn')
  const lines = [stranger.pid, place.dataFolder, 1, 5432, place.socketFolder, '', '', 'ready']
  const file = join(place.dataFolder, 'postmaster.pid')
  await writeFile(file, `${lines.join('\n')}\n`)
  await expect(start(folder.dataDir)).rejects.toThrow(
    `The database in ${place.home} does not answer: if no PostgreSQL runs, delete ${file}.`,
  )
  expect(stranger.exitCode ?? stranger.signalCode).toBe(null)
  stranger.kill()
  await once(stranger, 'exit')
  await using postgres = await start(folder.dataDir)
  expect(postgres.reused).toBe(false)
})

test('two processes and two calls that start at once on a fresh folder end with one PostgreSQL', async () => {
  await using folder = await temporaryDataDir({ onDisk: true })
  const processes = [startInProcess(folder.dataDir), startInProcess(folder.dataDir)]
  const own = await Promise.all([start(folder.dataDir), start(folder.dataDir)])
  const others = await Promise.all(processes.map((each) => each.ready))
  const all: { reused: boolean }[] = [...own, ...others]
  const pid = await mainPid(folder.dataDir)
  expect(others.map((each) => each.pid)).toEqual([pid, pid])
  expect(all.filter((each) => !each.reused)).toHaveLength(1)
  for (const each of processes) await each.kill()
  await Promise.all(own.map((each) => each.stop()))
})

function start(dataDir: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, log: quietLog, durable: false })
}

async function mainPid(dataDir: string): Promise<number> {
  const { dataFolder } = await preparePlace(dataDir)
  return Number.parseInt(await readFile(join(dataFolder, 'postmaster.pid'), 'utf8'), 10)
}

type Started = { pid: number; reused: boolean; url: string }

function startInProcess(dataDir: string, { durable = false } = {}): { ready: Promise<Started>; kill(): Promise<void> } {
  const program = `
    const { startEmbeddedPostgres } = await import('#server/house/db/embedded/embedded-postgres.ts')
    const say = () => undefined
    const log = { debug: say, info: say, warn: say, error: console.error }
    const postgres = await startEmbeddedPostgres({ dataDir: process.argv[1], log, durable: ${durable} })
    const { readFile } = await import('node:fs/promises')
    const pid = Number.parseInt(await readFile(postgres.folder + '/cluster/data/postmaster.pid', 'utf8'), 10)
    console.log(JSON.stringify({ pid, reused: postgres.reused, url: postgres.connectionString('ringpost') }))
    setInterval(() => undefined, 60_000)
  `
  const cwd = fileURLToPath(new URL('../../../../', import.meta.url))
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
