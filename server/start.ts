import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { createApp, type PageRoutes } from '#server/app.ts'
import type { Context } from '#server/context.ts'
import { type InstanceLock, takeInstanceLock } from '#server/db/instance-lock.ts'
import { migrate } from '#server/db/migrate.ts'
import { refuseForeignDatabase, refuseWrongMark } from '#server/demo/check-demo-mark.ts'
import { fillDemo } from '#server/demo/fill-demo.ts'
import { claimOrphans, sweepExpired, sweepReserving } from '#server/features/activations/sweep.ts'
import { abandonAttempt, endNumber } from '#server/features/activations/tell-supplier.ts'
import { loadCatalog } from '#server/features/catalog/load-catalog.ts'
import { recordOutcomes } from '#server/features/catalog/outcome-queries.ts'
import { refreshOffers } from '#server/features/catalog/refresh-offers.ts'
import { seedCatalog } from '#server/features/catalog/seed.ts'
import { followChanges, startSuppliers } from '#server/follow-changes.ts'
import { cleanUp } from '#server/jobs/clean-up.ts'
import { type Loop, startLoop } from '#server/jobs/loop.ts'
import { startJobs } from '#server/jobs/runner.ts'
import { listenOn } from '#server/listen.ts'
import { StartRefused } from '#server/start-refused.ts'

export type RunningServer = AsyncDisposable & {
  app: FastifyInstance
  /** Where people open it, with the port that was really taken. */
  url: string
  realtimePort: number
  metricsPort: number | null
}

/** How long the work under way may take when the process is asked to stop. */
export const STOP_LIMIT_MS = 10 * SECOND

/**
 * Brings the service up in order: lock, migrations, demo, catalogue, orphans of a crash, suppliers, sockets, loops, jobs.
 * Disposing takes it down the other way round. Throws StartRefused with a sentence for whoever started it.
 */
export async function startServer(ctx: Context, options: { pages?: PageRoutes } = {}): Promise<RunningServer> {
  await using stack = new AsyncDisposableStack()
  await refuseForeignDatabase(ctx.db, ctx.config)
  const lock = stack.use(await takeInstanceLock(ctx.db))
  await migrate(ctx.db)
  await refuseWrongMark(ctx.db, ctx.config)
  await seedCatalog(ctx.db)
  if (ctx.config.demo) await fillDemo(ctx)
  await loadCatalog(ctx)
  stack.defer(() => ctx.suppliers.stop())
  await claimOrphans(ctx)
  await startSuppliers(ctx)
  if (!ctx.config.demo && ctx.suppliers.all().length === 0) {
    throw new StartRefused('there is no supplier to buy numbers from: add one with `npm run cli -- supplier:add …`')
  }
  await settleOrphans(ctx)
  const jobs = await startJobs({
    pool: ctx.db,
    log: ctx.log,
    tasks: {
      'end-number': (payload) => endNumber(ctx, payload),
      'abandon-attempt': (payload) => abandonAttempt(ctx, payload),
    },
  })
  stack.defer(() => jobs.stop())
  const loops = startLoops(ctx, lock)
  stack.defer(async () => {
    await Promise.all(loops.map((loop) => loop.stop()))
  })
  const opened = await openSockets(ctx, options.pages, stack)
  const running = stack.move()
  return { ...opened, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

/** What a crash left in `reserving` is settled before anything new is bought. */
async function settleOrphans(ctx: Context): Promise<void> {
  const settled = await sweepReserving(ctx, { everything: true })
  if (settled > 0) ctx.log.warn({ settled }, 'purchases that an earlier process left open were settled')
}

function startLoops(ctx: Context, lock: InstanceLock): Loop[] {
  const changes = followChanges(ctx)
  const loop = (name: string, everyMs: number, work: () => Promise<unknown>) =>
    startLoop(ctx.log, { name, everyMs, work })
  return [
    loop('expiry', SECOND, () => sweepExpired(ctx)),
    loop('reserving', 5 * SECOND, () => sweepReserving(ctx, { everything: false })),
    loop('changes', SECOND, async () => {
      await lock.renew()
      await changes()
    }),
    loop('offers', 15 * SECOND, async () => {
      for (const supplier of ctx.suppliers.all()) await refreshOffers(ctx, supplier)
    }),
    loop('outcomes', MINUTE, async () => {
      if ((await recordOutcomes(ctx.db, ctx.clock.now())) > 0) await loadCatalog(ctx)
    }),
    loop('clean-up', HOUR, () => cleanUp(ctx)),
  ]
}

async function openSockets(ctx: Context, pages: PageRoutes | undefined, stack: AsyncDisposableStack) {
  const app = await createApp(ctx, pages)
  stack.defer(() => app.close())
  ctx.realtime.attach(app.server)
  stack.defer(() => ctx.realtime.stop())
  await listenOn('PORT', ctx.config.port, () => app.listen({ host: ctx.config.host, port: ctx.config.port }))
  const realtime = await listenOn('REALTIME_PORT', ctx.config.realtime.port, () => ctx.realtime.listen())
  const metricsPort = await openMetrics(ctx, stack)
  const { port } = app.server.address() as AddressInfo
  const host = ctx.config.host.includes(':') ? `[${ctx.config.host}]` : ctx.config.host
  return { app, url: `http://${host}:${port}`, realtimePort: realtime.port, metricsPort }
}

/** Metrics have a port of their own, so that a proxy in front of the service cannot show them by accident. */
async function openMetrics(ctx: Context, stack: AsyncDisposableStack): Promise<number | null> {
  const { metricsPort } = ctx.config
  if (metricsPort === null) return null
  const app = Fastify({ logger: false })
  app.get('/metrics', async (_request, reply) => {
    ctx.metrics.liveSockets.set(ctx.realtime.stats().sockets)
    return reply.type(ctx.metrics.registry.contentType).send(await ctx.metrics.registry.metrics())
  })
  stack.defer(() => app.close())
  await listenOn('METRICS_PORT', metricsPort, () => app.listen({ host: ctx.config.host, port: metricsPort }))
  return (app.server.address() as AddressInfo).port
}
