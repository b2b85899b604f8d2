/** Measures the seconds from `npm start` to the home page, for the first and the second start. Needs npm's registry. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isAlive } from '#server/house/db/is-alive.ts'
import { temporaryDataDir } from '#test/harness/postgres/temporary-postgres.ts'
import { listDescendants, memoryKb } from './parts/process-tree.ts'
import { runBenchmark } from './parts/run-benchmark.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FIRST_AIM_SECONDS = 30
const SECOND_AIM_SECONDS = 3
const POLL_MS = 50

const run = promisify(execFile)

await runBenchmark(async (stack) => {
  const { dataDir } = stack.use(await temporaryDataDir({ onDisk: true }))
  const clone = await mkdtemp(join(tmpdir(), 'ringpost-clone-'))
  stack.defer(() => rm(clone, { recursive: true, force: true }))
  await copyTracked(clone)
  for (const [name, aim] of [
    ['from a fresh clone', FIRST_AIM_SECONDS],
    ['a second time', SECOND_AIM_SECONDS],
  ] as const) {
    const { seconds, memory } = await startOnce(stack, { clone, dataDir })
    console.log(`npm start ${name}: ${seconds.toFixed(1)} s, aim ${aim}: ${seconds <= aim ? 'ok' : 'short'}`)
    for (const line of memory) console.log(`  ${line}`)
  }
})

/** Copies the files of the working tree, including uncommitted files but not ignored files. */
async function copyTracked(folder: string): Promise<void> {
  const list = async (...options: string[]) => {
    const { stdout } = await run('git', ['ls-files', '-z', ...options], { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 })
    return stdout.split('\0').filter((path) => path !== '')
  }
  const deleted = new Set(await list('--deleted'))
  for (const path of await list('--cached', '--others', '--exclude-standard')) {
    if (!deleted.has(path)) await cp(join(ROOT, path), join(folder, path))
  }
}

async function startOnce(
  stack: AsyncDisposableStack,
  { clone, dataDir }: { clone: string; dataDir: string },
): Promise<{ seconds: number; memory: string[] }> {
  const startedAt = performance.now()
  const npm = spawn('npm', ['start'], {
    cwd: clone,
    env: { ...process.env, PORT: '0', REALTIME_PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
    // npm has its own process group, so that SIGINT reaches the group, as from a terminal.
    detached: true,
  })
  const stop = () => stopGroup(npm.pid ?? 0)
  stack.defer(stop)
  const url = await Promise.race([addressIn(npm.stdout), once(npm, 'exit').then(() => null)])
  if (url === null) throw new Error('npm start ended by itself')
  const reply = await fetch(url)
  if (reply.status !== 200) throw new Error(`the home page answers ${reply.status}`)
  await reply.text()
  const seconds = (performance.now() - startedAt) / 1000
  const memory = await describeMemory(npm.pid ?? 0)
  await stop()
  return { seconds, memory }
}

async function addressIn(output: NodeJS.ReadableStream): Promise<string | null> {
  for await (const line of createInterface({ input: output })) {
    const url = /Ringpost is running:\s+(http:\S+)/.exec(line)?.[1]
    if (url !== undefined) {
      output.resume()
      return url
    }
    if (line.startsWith('✓')) console.log(`  ${line}`)
  }
  return null
}

async function stopGroup(pid: number): Promise<void> {
  const all = await listDescendants(pid)
  if (all.length === 0 || !isAlive(pid)) return
  process.kill(-pid, 'SIGINT')
  while (all.some((one) => isAlive(one.pid))) await delay(POLL_MS)
}

async function describeMemory(pid: number): Promise<string[]> {
  const all = await listDescendants(pid)
  const groups = [
    { name: 'the service', of: all.filter(({ command }) => command.includes('server/main.ts')) },
    { name: 'PostgreSQL', of: all.filter(({ command }) => command.includes('postgres')) },
    { name: 'npm and the launcher', of: all.filter(({ command }) => /\bnpm\b|scripts\/start\.mjs/.test(command)) },
  ]
  return Promise.all(
    groups.map(async ({ name, of }) => {
      const sizes = await Promise.all(of.map(memoryKb))
      const total = sizes.reduce((sum, size) => sum + size, 0)
      return `${name}: ${(total / 1024).toFixed(0)} MB in ${of.length} processes`
    }),
  )
}
