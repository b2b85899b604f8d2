import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { demoBuyer, demoOperator, demoSupport, demoVoucher, readDemoKey } from '#server/programs/demo/fill-demo.ts'
import { type NodeProcess, type NodeProcesses, startNodeProcesses } from '#test/bad-days/cluster/node-processes.ts'
import { shareCompiled } from '#test/harness/compiled-programs.ts'
import { toolFolder } from '#test/harness/postgres/debian-postgres.ts'
import { fastestPlace } from '#test/harness/postgres/temporary-postgres.ts'
import { findClusterPrograms } from './cluster-programs.ts'
import { type PostgresPair, startPostgresPair } from './postgres-pair.ts'

const NODES = 3

const { haproxy, redis, sentence } = findClusterPrograms()
if (sentence !== null) {
  console.error(sentence)
  process.exitCode = 1
} else {
  shareCompiled()
  await lookAtCluster({ haproxy, redis }, untilAsked())
}
// The launcher's channel would keep this process alive.
process.disconnect?.()

/** Aborts at Ctrl-C, and when the launcher is gone. */
function untilAsked(): AbortSignal {
  const asked = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => asked.abort())
  process.once('disconnect', () => asked.abort())
  return asked.signal
}

async function lookAtCluster(programs: { haproxy: string; redis: string }, asked: AbortSignal): Promise<void> {
  await using stack = new AsyncDisposableStack()
  console.log('Starting PostgreSQL with its stand-by, Redis, HAProxy and three nodes …')
  const folder = stack.use(await toolFolder(await fastestPlace()))
  const postgres = stack.use(await startPostgresPair(folder.path()))
  const dataDir = folder.path('data')
  await mkdir(dataDir)
  const replicaUrl = postgres.url.replace('read-write', 'standby')
  const settings = { DATA_DIR: dataDir, DATABASE_URL: postgres.url, DATABASE_REPLICA_URL: replicaUrl }
  const deaths: Promise<void>[] = []
  stack.defer(async () => {
    await Promise.all(deaths)
  })
  const starting = startNodeProcesses(programs, { count: NODES, settings, signal: asked })
  const cluster = stack.use(await starting.catch(unlessAsked(asked)))
  if (cluster === null) return
  const environmentFile = folder.path('environment')
  const lines = Object.entries(cluster.environment).map(([name, value]) => `export ${name}='${value}'\n`)
  await writeFile(environmentFile, lines.join(''))
  console.log(await describe(cluster, postgres, environmentFile))
  deaths.push(...cluster.nodes.map((node, place) => tellDeath(node, place, asked)))
  if (!asked.aborted) await once(asked, 'abort')
}

/** A start that somebody gave up is no failure. */
function unlessAsked(asked: AbortSignal): (error: unknown) => null {
  return (error) => {
    if (asked.aborted) return null
    throw error
  }
}

async function tellDeath({ process }: NodeProcess, place: number, asked: AbortSignal): Promise<void> {
  const { code } = await process.ended
  if (!asked.aborted) console.log(`  Node ${place + 1} has ended${code === null ? '' : ` with code ${code}`}.`)
}

async function describe(cluster: NodeProcesses, postgres: PostgresPair, environmentFile: string): Promise<string> {
  const { DATA_DIR = '', DATABASE_URL = '', REDIS_URL = '' } = cluster.environment
  const nodes = cluster.nodes.map(
    ({ url, process }, place) => `  Node ${place + 1}:                ${url}, process ${process.pid}\n`,
  )
  const [first] = cluster.nodes
  return `
  Open (HAProxy):        ${cluster.url}
${nodes.join('')}  Redis:                 ${REDIS_URL}
  PostgreSQL:            ${DATABASE_URL}, process ${postgres.primaryPid} is the primary
  Sign in as a buyer:    ${demoBuyer.email} / ${demoBuyer.password}
  Sign in as support:    ${demoSupport.email} / ${demoSupport.password}
  Sign in as operator:   ${demoOperator.email} / ${demoOperator.password}
  Mails that were sent:  ${cluster.url}/demo/mail
  A voucher, once:       ${demoVoucher}
  API key of the buyer:  ${(await readDemoKey(DATA_DIR)) ?? ''}

  npm run cli -- node:list says:
${await listNodes(cluster.environment)}
  Try in another terminal, in this folder:
  Take the settings:     . ${environmentFile}
  Kill a node:           kill -9 ${first?.process.pid}
  See who took over:     npm run cli -- node:list
  Start it again:        PORT=${first === undefined ? '' : new URL(first.url).port} npm start
  Kill the primary:      kill -QUIT ${postgres.primaryPid}
  Let the stand-by lead: ${postgres.promote}

  This is a demo: the money is play money and the numbers are simulated. Ctrl-C stops and removes everything.
`
}

async function listNodes(environment: Record<string, string>): Promise<string> {
  const env = { ...process.env, ...environment }
  const { stdout } = await promisify(execFile)(process.execPath, ['server/cli.ts', 'node:list'], { env })
  return stdout.replace(/^(?=.)/gm, '    ')
}
