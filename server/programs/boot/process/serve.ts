import { flushCompileCache } from 'node:module'
import { inspect } from 'node:util'
import { pino, stdSerializers } from 'pino'
import { systemRandom } from '#server/house/clock.ts'
import type { Config } from '#server/house/config/config.ts'
import { ownHost } from '#server/house/config/door-settings.ts'
import { findSecretKey } from '#server/house/config/secret-key.ts'
import { openDatabase } from '#server/house/db/open-database.ts'
import type { Log } from '#server/house/log.ts'
import { connectRedis } from '#server/house/redis/redis.ts'
import { openReplica } from '#server/house/replica/replica.ts'
import { AlreadyRunning, StandByEnded } from '#server/house/start-refused.ts'
import { buildContext } from '#server/programs/boot/build-context.ts'
import { explainStart } from '#server/programs/boot/explain-start.ts'
import { refuseTakenPorts } from '#server/programs/boot/listen.ts'
import { loadMails } from '#server/programs/boot/load-mails.ts'
import { loadPages } from '#server/programs/boot/load-pages.ts'
import { readSettings } from '#server/programs/boot/missing-setup.ts'
import { openStandByDoor } from '#server/programs/boot/nodes/stand-by-door.ts'
import { type RunningServer, STOP_LIMIT_MS, startServer } from '#server/programs/boot/start.ts'
import { demoBuyer, demoOperator, demoSupport, demoVoucher, readDemoKey } from '#server/programs/demo/fill-demo.ts'
import { dropRights, planRights } from './run-as.ts'

/** The time after which a shutdown that hangs is ended by force. */
const FAILED_LIMIT_MS = 60_000

/** Runs the service until it is asked to stop. Writes to stderr why the service cannot start. */
export async function runService(): Promise<void> {
  try {
    await serve()
  } catch (error) {
    if (error instanceof StandByEnded) return
    const reason = explainStart(error)
    process.stderr.write(reason === null ? `${inspect(error)}\n` : `Ringpost cannot start:\n${reason}\n`)
    process.exitCode = 1
  }
}

async function serve(): Promise<void> {
  const { config, secrets } = await readSettings()
  await refuseTakenPorts(config)
  const rights = await planRights(config)
  const log = createLog(config)
  log.info(config.release, 'starting')
  const asked = new AbortController()
  const ended = untilEnd(log, asked)
  await using stack = new AsyncDisposableStack()
  const database = await openDatabase({ config, log, applicationName: 'ringpost' })
  const { embedded, pool } = database
  const secretKey = await findSecretKey({ dataDir: config.dataDir, secretKey: secrets.secretKey }, systemRandom)
  const redis = config.redis === null ? null : connectRedis({ ...config.redis, log })
  const replica = openReplica(config, log)
  const ctx = buildContext({ config, secrets: { ...secrets, secretKey }, pool, log, redis, replica })
  // PostgreSQL is stopped last, and only by the process that started it: another process may serve with it.
  let owns = embedded?.reused === false
  stack.defer(async () => {
    if (owns) await embedded?.stop()
  })
  stack.use(database)
  stack.use(redis)
  stack.use(replica)
  const pages = await loadPages(ctx)
  const mails = stack.use(await loadMails(secrets.smtpUrl))
  // Only this process uses an embedded PostgreSQL, so only a service with a database of its own has stand-bys.
  const standBy = embedded === null && { standBy: { signal: asked.signal, open: () => openStandByDoor(ctx) } }
  const forceEnd = async () => {
    log.error({ limitMs: STOP_LIMIT_MS }, 'the work under way did not end in time')
    if (owns) await embedded?.stop()
    process.exit(1)
  }
  const endByForceLater = () => setTimeout(() => ctx.background.run('forced end', forceEnd), STOP_LIMIT_MS).unref()
  // A start may wait for a lock as long as another process holds it.
  let startLimit: NodeJS.Timeout | undefined
  const limitStart = () => {
    startLimit = endByForceLater()
  }
  if (asked.signal.aborted) limitStart()
  asked.signal.addEventListener('abort', limitStart)
  const server = stack.use(
    await startServer(ctx, { pages, mails, ...standBy }).catch((error: unknown) => {
      if (error instanceof AlreadyRunning) owns = false
      throw error
    }),
  )
  owns = true
  clearTimeout(startLimit)
  asked.signal.removeEventListener('abort', limitStart)
  // The restarter of PostgreSQL is disposed of first, so that it restarts nothing during the stop.
  if (embedded !== null) stack.use(embedded.keepRunning())
  // The compile cache is written now, so that the next start has it even if this process is killed.
  flushCompileCache()
  // Root's rights are given up after ports below 1024 are open and root's files are read.
  if (rights !== null) dropRights(rights)
  process.stdout.write(await welcome(config, server))
  await tellLauncher('serving')
  const end = await Promise.race([ended, server.displaced])
  log.info({}, 'stopping')
  if (end === 'asked') await server.leave()
  else if (end !== 'failed') {
    process.stderr.write(`Ringpost stops: ${end.reason}\n`)
    await tellLauncher('displaced')
    // The node that took over works on this node's orders, so this process must not finish anything. The PostgreSQL that
    // this process started goes on, because the other node may use it.
    process.exit(1)
  }
  endByForceLater()
}

async function tellLauncher(news: 'serving' | 'displaced'): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  if (process.send === undefined) return
  process.send(news, resolve)
  await promise
}

function createLog(config: Config) {
  return pino({
    level: config.logLevel,
    serializers: { error: stdSerializers.err },
  })
}

async function welcome(config: Config, server: RunningServer): Promise<string> {
  if (!config.demo) return `Ringpost serves ${config.publicUrl.href} on ${server.url}\n`
  const url = `http://${ownHost(config.host)}:${new URL(server.url).port}`
  return `
  Ringpost is running:   ${url}
  Live (Pusher):         port ${server.realtimePort}, app key ${config.realtime.appKey}
  Sign in as a buyer:    ${demoBuyer.email} / ${demoBuyer.password}
  Sign in as support:    ${demoSupport.email} / ${demoSupport.password}
  Sign in as operator:   ${demoOperator.email} / ${demoOperator.password}
  Code of staff:         npm run cli -- demo:code; tickets are at ${url}/staff/tickets
  API for programs:      ${url}/stubs/handler_api.php
  Mails that were sent:  ${url}/demo/mail
  A voucher, once:       ${demoVoucher}
  API key of the buyer:  ${(await readDemoKey(config.dataDir)) ?? ''}

  This is a demo: the money is play money and the numbers are simulated. Ctrl-C stops it.
`
}

type End = 'asked' | 'failed'

/** Resolves when the process must end. After an unhandled failure the state is unknown, so the exit code is 1. */
function untilEnd(log: Log, asked: AbortController): Promise<End> {
  return new Promise((resolve) => {
    // systemd and the launcher both signal this process. Without a handler the second signal would abort the shutdown.
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        asked.abort()
        resolve('asked')
      })
    }
    // The event `uncaughtException` also reports unhandled rejections of promises.
    process.on('uncaughtException', (error) => {
      log.error({ error }, 'an unhandled failure ends this process')
      process.exitCode = 1
      setTimeout(() => process.exit(1), FAILED_LIMIT_MS).unref()
      resolve('failed')
    })
  })
}
