import pg from 'pg'
import { pino, stdSerializers } from 'pino'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { refreshOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import { reservingOf } from '#server/core/numbers/sourcing/under-way.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { IncomingSms, Offer } from '#server/core/suppliers/supplier.ts'
import { readConfig } from '#server/house/config/config.ts'
import { openDatabase } from '#server/house/db/open-database.ts'
import { connectRedis } from '#server/house/redis/redis.ts'
import { buildContext } from '#server/programs/boot/build-context.ts'
import { loadPages } from '#server/programs/boot/load-pages.ts'
import { startServer } from '#server/programs/boot/start.ts'
import { answerParent } from './ask-child.ts'

/** Runs the service as server/main.ts starts it, in a process that a benchmark can control. */
const stack = new AsyncDisposableStack()
const { config, secrets } = readConfig()
const { secretKey } = secrets
if (secretKey === null) throw new Error('SECRET_KEY is missing')
const log = pino({ level: config.logLevel, serializers: { error: stdSerializers.err } })
const database = stack.use(await openDatabase({ config, log, applicationName: 'ringpost' }))
const redis = config.redis === null ? null : stack.use(connectRedis({ ...config.redis, log }))
const ctx = buildContext({ config, secrets: { secretKey }, pool: database.pool, log, redis })
const pages = process.argv.includes('with-pages') ? { pages: await loadPages(ctx) } : {}
const server = stack.use(await startServer(ctx, pages))

export type Statement = { name: string | null; text: string; values: unknown[] }
const statements: Statement[] = []
const { query: plainQuery } = pg.Client.prototype

const NO_ACTIVATION = 0n
const JUNK_TICK_MS = 2
let junkSent = 0
let junk: Junk | undefined

const answers = {
  addresses: () => ({
    url: server.url,
    liveUrl: `ws://127.0.0.1:${server.realtimePort}/app/${config.realtime.appKey}?protocol=7`,
  }),

  memoryBytes: async () => {
    await globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' })
    return process.memoryUsage().rss
  },

  /** Collects the garbage of the start, which would otherwise be collected during the first rounds. */
  collectGarbage: async () => {
    await globalThis.gc?.({ type: 'major', execution: 'async' })
  },

  /** Records the SQL statements of the service. Nothing may be timed meanwhile, because recording is slow. */
  writeDownStatements: () => {
    statements.length = 0
    pg.Client.prototype.query = new Proxy(plainQuery, {
      apply(query, client, args: unknown[]) {
        statements.push(toStatement(args[0], args[1]))
        return Reflect.apply(query, client, args)
      },
    })
  },

  statements: () => {
    pg.Client.prototype.query = plainQuery
    return statements
  },

  sellEverything: async ({ countryId }: { countryId: number }) => {
    const [supplier] = suppliersOf(ctx).all()
    if (supplier === undefined) throw new Error('no supplier is at work')
    const offers = [...catalogOf(ctx).services.keys()].map((serviceCode, place): Offer => {
      const costMicros = BigInt(1 + ((place * 7_919) % 100_003)) * 1_000n
      return {
        serviceCode,
        countryId,
        operator: 'any-net',
        costMicros,
        currency: 'rub',
        stock: 1 + ((place * 31) % 997),
      }
    })
    supplier.listOffers = async () => offers
    await refreshOffers(ctx, supplier)
  },

  /** Returns the start time in ns by the clock of `process.hrtime`. */
  takeSms: async (sms: Omit<IncomingSms, 'supplierId'>) => {
    const supplierId = suppliersOf(ctx).all()[0]?.id
    if (supplierId === undefined) throw new Error('no supplier is at work')
    const startedAt = process.hrtime.bigint()
    await receiveSms(ctx, { ...sms, supplierId })
    return startedAt
  },

  startJunk: ({ perSecond }: { perSecond: number }) => {
    reservingOf(ctx).add(NO_ACTIVATION)
    junk = sendJunk(perSecond)
  },

  /** Stops sending unmatched messages. Returns how many were sent and how many were stored, both per second. */
  stopJunk: async () => {
    reservingOf(ctx).delete(NO_ACTIVATION)
    return junk?.stop()
  },
}
export type ServiceAnswers = typeof answers

answerParent(answers, () => stack.disposeAsync())

type Junk = { stop(): Promise<{ sent: number; takenIn: number }> }

function sendJunk(perSecond: number): Junk {
  const supplierId = suppliersOf(ctx).all()[0]?.id ?? 0
  const startedAt = performance.now()
  const pending: Promise<unknown>[] = []
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond)
    while (pending.length < due) {
      junkSent += 1
      const phone = String(79_000_000_000 + junkSent)
      pending.push(receiveSms(ctx, { supplierId, messageId: null, phone, sender: 'Junk', text: `Win ${junkSent} now` }))
    }
  }, JUNK_TICK_MS)
  return {
    async stop() {
      clearInterval(timer)
      const seconds = (performance.now() - startedAt) / 1000
      const outcomes = await Promise.allSettled(pending)
      const takenIn = outcomes.filter(({ status }) => status === 'fulfilled').length
      return { sent: pending.length / seconds, takenIn: takenIn / seconds }
    },
  }
}

function toStatement(first: unknown, second: unknown): Statement {
  if (typeof first === 'string') return { name: null, text: first, values: Array.isArray(second) ? second : [] }
  // The cast is safe: graphile-worker and our code pass a query config.
  const { name, text, values } = first as pg.QueryConfig
  return { name: name ?? null, text, values: values ?? [] }
}
