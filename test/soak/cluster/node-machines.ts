import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NOBODY } from '#server/house/db/embedded/postgres-place.ts'
import { ownEnvironment } from '#test/harness/compiled-programs.ts'
import { type Machine, OWN_ADDRESS, openMachine, type Program } from './machines.ts'
import { until } from './wait.ts'

const PORT = 3000
const START_LIMIT_MS = 240_000
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
const SCALE_PAGE = new URL('../../../docs/scale.md', import.meta.url)

export type NodeMachine = {
  machine: Machine
  program: Program
  /** True if the node serves, and Redis answers it. */
  isReady(): Promise<boolean>
  /** Starts the node and waits until it serves. `clockAheadMs` sets its clock wrong. */
  start(options?: { clockAheadMs?: number }): Promise<void>
}

export type RedisMachine = { machine: Machine; program: Program; start(): void; ask(...words: string[]): Promise<void> }

/** The repository whose nodes run: this one, or one with a planted fault. */
const root = process.env.SOAK_ROOT ?? fileURLToPath(new URL('../../../', import.meta.url))

export async function startRedisMachine(folder: string): Promise<RedisMachine> {
  const machine = await openMachine('redis', 4)
  const log = join(folder, 'redis.log')
  const words = ['redis-server', '--bind', machine.address, '--protected-mode', 'no', '--save', '', '--dir', '/tmp']
  const redis: RedisMachine = {
    machine,
    program: machine.start(words, { log }),
    start() {
      redis.program = machine.start(words, { log })
    },
    async ask(...asked) {
      await machine.start(['redis-cli', '-h', machine.address, ...asked], { log }).ended
    },
  }
  return redis
}

export async function openNodeMachine(place: number, settings: Record<string, string>, folder: string) {
  const machine = await openMachine(`node${place + 1}`, 11 + place)
  const { name, address } = machine
  const dataDir = join(folder, name)
  await mkdir(dataDir, { recursive: true })
  await chown(dataDir, NOBODY.uid, NOBODY.gid)
  const env = {
    ...ownEnvironment(),
    HOST: address,
    PORT: String(PORT),
    REALTIME_PORT: '0',
    DATA_DIR: dataDir,
    RUN_AS: `${NOBODY.uid}:${NOBODY.gid}`,
    TRUSTED_PROXIES: OWN_ADDRESS,
    STOP_DELAY_SECONDS: '2',
    ...settings,
  }
  const launch = (clockAheadMs: number) => {
    const shift = {
      LD_PRELOAD: FAKETIME,
      FAKETIME: `${clockAheadMs < 0 ? '' : '+'}${clockAheadMs / 1000}s`,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }
    const words = ['sh', '-ec', `cd "${root}"; exec "${process.execPath}" server/main.ts`]
    return machine.start(words, { log: join(folder, `${name}.log`), env: { ...env, ...(clockAheadMs !== 0 && shift) } })
  }
  const isReady = async () => {
    const signal = AbortSignal.timeout(1_000)
    const reply = await fetch(`http://${address}:${PORT}/readyz`, { signal }).catch(() => null)
    return reply?.ok === true && ((await reply.json()) as { redis?: boolean }).redis === true
  }
  const node: NodeMachine = {
    machine,
    program: launch(0),
    isReady,
    async start({ clockAheadMs = 0 } = {}) {
      if (node.program.isRunning()) throw new Error(`${name} still runs`)
      node.program = launch(clockAheadMs)
      await until(isReady, START_LIMIT_MS, `${name} does not start`)
    },
  }
  await until(isReady, START_LIMIT_MS, `${name} does not start`)
  return node
}

/** Starts HAProxy with the file of docs/scale.md before the places of these nodes. Returns its address. */
export async function startBalancer(count: number, folder: string): Promise<string> {
  const text = /```haproxy\n(.*?)```/s.exec(await readFile(SCALE_PAGE, 'utf8'))?.[1] ?? ''
  const servers = Array.from({ length: count }, (_, place) => `  server node${place} 10.77.0.${11 + place}:${PORT}\n`)
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, text.replace(/( {2}server \S+ \S+\n)+/, servers.join('')))
  await once(spawn('haproxy', ['-db', '-q', '-f', file], { stdio: 'ignore' }), 'spawn')
  return 'http://127.0.0.1:8080'
}
