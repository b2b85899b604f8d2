import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino, stdSerializers } from 'pino'
import { buildContext } from '#server/build-context.ts'
import { type Config, ConfigError, readConfig, type Secrets } from '#server/config.ts'
import { EmbeddedPostgresError } from '#server/db/embedded-postgres-error.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { demoBuyer, demoOperator, readDemoKey } from '#server/demo/fill-demo.ts'
import { loadPages } from '#server/load-pages.ts'
import { type RunningServer, STOP_LIMIT_MS, startServer } from '#server/start.ts'
import { StartRefused } from '#server/start-refused.ts'
import { systemRandom } from '#server/clock.ts'

try {
  await serve()
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof StartRefused || error instanceof EmbeddedPostgresError)) throw error
  process.stderr.write(`Ringpost cannot start:\n${error.message}\n`)
  process.exitCode = 1
}

async function serve(): Promise<void> {
  const { config, secrets } = readConfig()
  const log = createLog(config)
  const stopped = stopSignal()
  await using stack = new AsyncDisposableStack()
  const database = await openDatabase({ config, log, applicationName: 'ringpost' })
  const { embedded, pool } = database
  const ctx = buildContext({ config, secretKey: await secretKeyOf(config, secrets), pool, log })
  let serving = false
  stack.defer(async () => {
    // Last of all, and only by the process that serves: one that was refused leaves PostgreSQL to the one that runs.
    if (serving) await embedded?.stop()
  })
  stack.use(database)
  const pages = await loadPages(ctx)
  const server = stack.use(await startServer(ctx, { pages }))
  serving = true
  process.stdout.write(await welcome(config, server))
  await stopped
  log.info('stopping')
  setTimeout(() => {
    log.error({ limitMs: STOP_LIMIT_MS }, 'the work under way did not end in time')
    process.exit(1)
  }, STOP_LIMIT_MS).unref()
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
}

function createLog(config: Config) {
  return pino({
    level: config.logLevel,
    serializers: { error: stdSerializers.err },
  })
}

/** In the demo the secret is made once and kept beside the data; elsewhere it must be given. */
async function secretKeyOf(config: Config, secrets: Secrets): Promise<string> {
  if (secrets.secretKey !== null) return secrets.secretKey
  const file = join(config.dataDir, 'secret-key')
  const kept = await readFile(file, 'utf8').catch(() => null)
  if (kept !== null) return kept.trim()
  const made = systemRandom.bytes(32).toString('base64url')
  await mkdir(config.dataDir, { recursive: true })
  await writeFile(file, `${made}\n`, { mode: 0o600 })
  return made
}

async function welcome(config: Config, server: RunningServer): Promise<string> {
  if (!config.demo) return `Ringpost serves ${config.publicUrl.href} on ${server.url}\n`
  return `
  Ringpost is running:   ${server.url}
  Live (Pusher):         port ${server.realtimePort}, app key ${config.realtime.appKey}
  Sign in as a buyer:    ${demoBuyer.email} / ${demoBuyer.password}
  Sign in as operator:   ${demoOperator.email} / ${demoOperator.password}
  API for programs:      ${server.url}/stubs/handler_api.php
  API key of the buyer:  ${(await readDemoKey(config.dataDir)) ?? ''}

  This is a demo: the money is play money and the numbers are simulated. Ctrl-C stops it.
`
}
