import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import Fastify, { type FastifyInstance, type FastifyListenOptions } from 'fastify'
import { MINUTE, SECOND } from '#contract/time.ts'
import { flushKeyCalls } from '#server/core/accounts/api-keys/flush-calls.ts'
import { flushHealth } from '#server/core/catalog/health/flush-health.ts'
import { healthBookOf } from '#server/core/catalog/health/health-book.ts'
import { loadCatalog } from '#server/core/catalog/offers/load-catalog.ts'
import { learnRoutes, loadRouteRules } from '#server/core/catalog/routing/load-routes.ts'
import { loadHealth } from '#server/core/catalog/standing/load-health.ts'
import { endWaiting } from '#server/core/numbers/activations/wait-for-code.ts'
import { loadSenders } from '#server/core/numbers/messages/load-senders.ts'
import { senderBookOf } from '#server/core/numbers/messages/sender-book.ts'
import { measureUnsettled } from '#server/core/numbers/sourcing/measure-unsettled.ts'
import { rentingOf, reservingOf } from '#server/core/numbers/sourcing/under-way.ts'
import { supplierLease, suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { startWebhooks } from '#server/core/webhooks/sending/send-due.ts'
import { followTlsFiles, readTlsFiles, type TlsTexts } from '#server/house/config/tls-files.ts'
import type { Context } from '#server/house/context.ts'
import { migrate, migrateBeside } from '#server/house/db/migrate.ts'
import { waitForDatabase } from '#server/house/db/wait-for-database.ts'
import { servingOf } from '#server/house/http/door/health.ts'
import { startLoop } from '#server/house/jobs/loop.ts'
import { startJobs } from '#server/house/jobs/runner.ts'
import type { MailOutlet } from '#server/house/mail/send-mail.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import { type StandBy, takeServing } from '#server/house/nodes/take-serving.ts'
import { WORK, whileHeld } from '#server/house/nodes/work.ts'
import { AlreadyRunning, StartRefused } from '#server/house/start-refused.ts'
import { createDoor, type PageRoutes } from '#server/programs/app.ts'
import { refuseForeignDatabase, refuseWrongMark } from '#server/programs/demo/check-demo-mark.ts'
import { fillDemo } from '#server/programs/demo/fill-demo.ts'
import { storeContent } from '#server/surfaces/site/content/store-content.ts'
import { loadNotices } from '#server/surfaces/site/notices/shown-notices.ts'
import { readStatus } from '#server/surfaces/site/status/follow-status.ts'
import { warnOfLackingReward } from '#server/surfaces/telegram/reward/warn-of-lacking-reward.ts'
import { followUpdates } from '#server/surfaces/telegram/updates/follow-updates.ts'
import { continueTime } from './continue-time.ts'
import { listenOn } from './listen.ts'
import { measureBusiness } from './measures/measure-business.ts'
import { measureNodes } from './measures/measure-nodes.ts'
import { refuseMissingSetup } from './missing-setup.ts'
import { giveWorkAway } from './nodes/give-work-away.ts'
import { claimLeft, settleLeft } from './recover-left.ts'
import { refuseForeignReplica } from './refuse-foreign-replica.ts'
import { resealSecrets } from './reseal-secrets.ts'
import { runDelayedLeft } from './run-delayed-left.ts'
import { seedCatalog } from './seed-catalog.ts'
import { followGateways } from './start-gateways.ts'
import { beginFollowing, startLoops } from './start-loops.ts'
import { startSandbox } from './start-sandbox.ts'
import { startSuppliers } from './start-suppliers.ts'
import { lanesOf } from './tasks.ts'

export type RunningServer = AsyncDisposable & {
  app: FastifyInstance
  /** The address of the server, with the port that was really opened. */
  url: string
  realtimePort: number
  metricsPort: number | null
  /** Resolves when a second process serves the database. This process must then stop, but leave PostgreSQL running. */
  displaced: Promise<{ reason: string }>
  /** Makes `/readyz` fail but serves for a while, so that load balancers switch to the next process. */
  leave(): Promise<void>
}

/** The maximum wait for open requests at shutdown. A request may wait eight seconds for a supplier. */
const DRAIN_LIMIT_MS = 10 * SECOND
/** The interval at which the node that serves renews itself, well below the time after which it counts as dead. */
const RENEW_MS = SECOND / 2
export const STOP_LIMIT_MS = 25 * SECOND

type Options = { pages?: PageRoutes; mails?: MailOutlet; standBy?: StandBy }

/**
 * Starts the server in this order: migrations, lease to serve, demo, catalogue, crash recovery, suppliers, sockets,
 * loops, jobs. Disposing goes in reverse order.
 */
export async function startServer(ctx: Context, options: Options = {}): Promise<RunningServer> {
  return waitForDatabase(ctx, () => bringUp(ctx, options))
}

async function bringUp(ctx: Context, options: Options): Promise<RunningServer> {
  await using stack = new AsyncDisposableStack()
  await Promise.all([refuseForeignDatabase(ctx.db, ctx.config), refuseForeignReplica(ctx)])
  warnOfPrivateHosts(ctx)
  warnOfLackingReward(ctx)
  await migrateBeside(ctx.db)
  const held = stack.use(await serveAlone(ctx, options.standBy))
  await migrate(ctx.db)
  // Disposal is in reverse order, so what starts background work ends before `idle` is called.
  stack.defer(() => ctx.background.idle())
  await continueTime(ctx.clock, ctx.db)
  await refuseWrongMark(ctx.db, ctx.config)
  await seedCatalog(ctx.db)
  if (ctx.config.demo) await fillDemo(ctx)
  else await refuseMissingSetup(ctx)
  // From here on no change by a CLI command is missed: the loads below or the loops see it.
  const follow = await beginFollowing(ctx)
  await Promise.all([loadCatalog(ctx), loadSenders(ctx)])
  // The index of senders is built now, so that the first message does not wait for it.
  senderBookOf(ctx).index()
  await storeContent(ctx)
  stack.defer(() =>
    flushKeyCalls(ctx).catch((error: unknown) => ctx.log.warn({ error }, 'the last calls of API keys are not written')),
  )
  await Promise.all([loadNotices(ctx), readStatus(ctx)])
  stack.defer(() =>
    flushHealth(ctx).catch((error: unknown) => ctx.log.warn({ error }, 'the last calls to suppliers are not written')),
  )
  stack.defer(() => suppliersOf(ctx).stop())
  stack.defer(() => {
    reservingOf(ctx).clear()
    rentingOf(ctx).clear()
  })
  held.requireServing()
  await claimLeft(ctx)
  await followGateways(ctx)
  await loadHealth(ctx)
  await loadRouteRules(ctx)
  await learnRoutes(ctx)
  await startSelling(ctx)
  await resealSecrets(ctx)
  await settleLeft(ctx)
  await runDelayedLeft(ctx)
  held.requireServing()
  const { mails } = options
  const jobs = await startJobs({
    pool: ctx.db,
    log: ctx.log,
    lanes: lanesOf(ctx, mails),
    nodeId: nodeOf(ctx).id,
  })
  // Jobs and mails stop in parallel, because closing the connection ends a job that hangs on the mail server.
  stack.defer(async () => {
    await Promise.all([jobs.stop(), mails?.smtp?.[Symbol.asyncDispose]()])
  })
  const webhooks = startWebhooks(ctx)
  stack.defer(() => webhooks.stop())
  const updates = followUpdates(ctx)
  const loops = [
    ...startLoops(ctx, follow),
    startLoop(ctx.log, { name: 'telegram', everyMs: SECOND, work: whileHeld(ctx, 'telegram', updates.work) }),
  ]
  stack.defer(async () => {
    updates.stop()
    await follow.books.cancel().catch((error: unknown) => ctx.log.warn({ error }, 'a check of the books is waited for'))
    await Promise.all([follow.offers.stop(), ...loops.map((loop) => loop.stop())])
  })
  const certificate = await followCertificate(ctx)
  if (certificate !== null) loops.push(startLoop(ctx.log, { name: 'certificate', everyMs: MINUTE, work: certificate }))
  held.requireServing()
  const opened = await openSockets(ctx, options.pages, stack)
  const running = stack.move()
  const { drain, ...addresses } = opened
  const leave = async () => {
    servingOf(ctx).ending = true
    endWaiting(ctx)
    drain.begin()
    await Promise.all([giveWorkAway(ctx, updates.stop), wait(ctx.config.stopDelaySeconds * SECOND)])
  }
  return { ...addresses, displaced: held.displaced, leave, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

/** Starts the sandbox first, then the suppliers, because sandbox orders are settled along with real orders. */
async function startSelling(ctx: Context): Promise<void> {
  await startSandbox(ctx)
  const failed = await startSuppliers(ctx)
  if (failed.length === 0 || suppliersOf(ctx).all().length > 0) return
  // The service starts even without a supplier, for history, money and support. A loop retries the suppliers.
  ctx.log.error({ suppliers: failed }, 'none of the suppliers could be started: nothing is sold until one is')
}

function warnOfPrivateHosts({ config, log }: Context): void {
  const { demo, outboundPrivateHosts: hosts } = config
  if (demo || hosts.length === 0) return
  log.warn({ hosts }, 'OUTBOUND_PRIVATE_HOSTS lets members have requests sent to hosts of this network')
}

/**
 * Makes this process the node that serves. The node renews itself in a loop of its own, because the rest of the start may
 * wait for suppliers.
 */
async function serveAlone(ctx: Context, standBy: StandBy | undefined) {
  const lock = await takeServing(ctx, standBy)
  const { promise: displaced, resolve } = Promise.withResolvers<{ reason: string }>()
  let refusal: AlreadyRunning | null = null
  const work = () =>
    lock.renew().catch((error: unknown) => {
      if (!(error instanceof AlreadyRunning)) throw error
      refusal = error
      resolve({ reason: error.message })
    })
  const loop = startLoop(ctx.log, { name: 'lock', everyMs: RENEW_MS, work })
  return {
    displaced,
    /** Throws AlreadyRunning if another node has taken over during the start. */
    requireServing() {
      if (refusal !== null) throw refusal
    },
    async [Symbol.asyncDispose]() {
      await loop.stop()
      await lock[Symbol.asyncDispose]()
    },
  }
}

async function followCertificate(ctx: Context): Promise<(() => Promise<void>) | null> {
  const { tlsCertFile, tlsKeyFile } = ctx.config.realtime
  if (tlsCertFile === null || tlsKeyFile === null) return null
  const paths = { cert: tlsCertFile, key: tlsKeyFile }
  const apply = (texts: TlsTexts) => ctx.realtime.setCertificate(texts)
  const texts = await readTlsFiles(paths).catch((error: unknown) => {
    throw new StartRefused(`REALTIME_TLS_CERT and REALTIME_TLS_KEY cannot be used: ${String(error)}`)
  })
  apply(texts)
  return followTlsFiles({ paths, texts, log: ctx.log, apply })
}

async function openSockets(ctx: Context, pages: PageRoutes | undefined, stack: AsyncDisposableStack) {
  const { app, drain } = await createDoor(ctx, pages)
  stack.defer(() => app.close())
  stack.defer(async () => {
    const [cutOff] = await Promise.all([drain.finish(DRAIN_LIMIT_MS), ctx.realtime.stop()])
    if (cutOff > 0) ctx.log.warn({ cutOff }, 'requests did not end in time and were cut off')
  })
  await listenOn('PORT', ctx.config.port, () => app.listen(placeOf(ctx)))
  const realtime = await listenOn('REALTIME_PORT', ctx.config.realtime.port, () => ctx.realtime.listen())
  const metricsPort = await openMetrics(ctx, stack)
  const { port } = app.server.address() as AddressInfo
  nodeOf(ctx).state = 'serves'
  nodeOf(ctx).wanted = () => [...WORK, ...suppliersOf(ctx).idsToReceive().map(supplierLease)]
  const host = ctx.config.host.includes(':') ? `[${ctx.config.host}]` : ctx.config.host
  return { app, drain, url: `http://${host}:${port}`, realtimePort: realtime.port, metricsPort }
}

/** Fastify requires a host even for a socket that a supervisor such as systemd passed. */
function placeOf({ config: { host, port, listenFd } }: Context): FastifyListenOptions & { fd?: number } {
  return listenFd === null ? { host, port } : { fd: listenFd, host: '127.0.0.1' }
}

/** Serves metrics on a port of their own, so that a proxy cannot expose them. */
async function openMetrics(ctx: Context, stack: AsyncDisposableStack): Promise<number | null> {
  const { metricsPort } = ctx.config
  if (metricsPort === null) return null
  const measure = await measureBusiness(ctx)
  const app = Fastify({ logger: false })
  app.get('/metrics', async (_request, reply) => {
    ctx.metrics.liveSockets.set(ctx.realtime.stats().sockets)
    for (const { id, code, link } of suppliersOf(ctx).all()) {
      ctx.metrics.suppliersAside.set({ supplier: code }, healthBookOf(ctx).of(id).state === 'aside' ? 1 : 0)
      const state = link?.()
      if (state !== undefined && state.unproven !== true)
        ctx.metrics.supplierLinks.set({ supplier: code }, state.up ? 1 : 0)
    }
    await measureUnsettled(ctx)
    await measureNodes(ctx)
    await measure()
    return reply.type(ctx.metrics.registry.contentType).send(await ctx.metrics.registry.metrics())
  })
  stack.defer(() => app.close())
  await listenOn('METRICS_PORT', metricsPort, () => app.listen({ host: ctx.config.metricsHost, port: metricsPort }))
  return (app.server.address() as AddressInfo).port
}
