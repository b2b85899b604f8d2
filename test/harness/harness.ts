import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Logger, runOnce } from 'graphile-worker'
import { type Currency, parseDecimal } from '#contract/money.ts'
import { MINUTE } from '#contract/time.ts'
import { makeApiKey } from '#server/core/accounts/api-keys/api-key.ts'
import { replaceApiKey } from '#server/core/accounts/api-keys/queries.ts'
import { insertSession } from '#server/core/accounts/sessions/queries.ts'
import { firstTokens, toStored } from '#server/core/accounts/sessions/tokens.ts'
import { createUser } from '#server/core/accounts/users/create-user.ts'
import { makeHash } from '#server/core/accounts/users/password.ts'
import { alarmTasks } from '#server/core/alarms/outlets.ts'
import { endMailDown } from '#server/core/alarms/watch-mail.ts'
import { loadCatalog } from '#server/core/catalog/offers/load-catalog.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { mailNotification } from '#server/core/notifications/mail-notification.ts'
import { sendPush } from '#server/core/notifications/push/send-push.ts'
import { tellNotification } from '#server/core/notifications/tell.ts'
import { abandonAttempt, endNumber } from '#server/core/numbers/activations/tell-supplier.ts'
import { pushMessage } from '#server/core/numbers/listing/push-message.ts'
import { loadSenders } from '#server/core/numbers/messages/load-senders.ts'
import { abandonExtension, abandonRental, endRental } from '#server/core/numbers/rentals/tell-supplier.ts'
import { refundPayment } from '#server/core/payments/refund-payment.ts'
import { makeExport } from '#server/core/privacy/export/make-export.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Offer, RentOffer, Supplier, SupplierRow } from '#server/core/suppliers/supplier.ts'
import { mailAnswer } from '#server/core/support/mail-answer.ts'
import { type Config, readConfig } from '#server/house/config/config.ts'
import type { PasswordCost } from '#server/house/config/password-cost.ts'
import type { Context } from '#server/house/context.ts'
import { Pool } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import type { Drain } from '#server/house/http/door/drain.ts'
import { openJobPool } from '#server/house/jobs/runner.ts'
import { sendMail } from '#server/house/mail/send-mail.ts'
import type { Smtp } from '#server/house/mail/smtp.ts'
import { adjustBalance } from '#server/house/money/credit.ts'
import type { Redis } from '#server/house/redis/redis.ts'
import { openReplica } from '#server/house/replica/replica.ts'
import { createDoor, type PageRoutes } from '#server/programs/app.ts'
import { buildContext } from '#server/programs/boot/build-context.ts'
import { startHearing } from '#server/programs/boot/news/start-hearing.ts'
import { followGateways } from '#server/programs/boot/start-gateways.ts'
import { addSupplier } from '#server/programs/boot/start-suppliers.ts'
import { insertGateway } from '#server/programs/cli/queries/gateways.ts'
import { telegramTasks } from '#server/surfaces/telegram/tasks.ts'
import { createFakeSupplier, type FakeSupplier } from '#test/fakes/fake-supplier.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { type RecordingLog, recordingLog } from './recording-log.ts'
import { createTestClock, type TestClock } from './test-clock.ts'

export type TestUser = { id: number; email: string; password: string; token: string; sessionId: bigint }

/** The real application on its own database, with a test clock. Tests run periodic work and jobs themselves. */
export type TestApp = AsyncDisposable & {
  ctx: Context
  app: FastifyInstance
  drain: Drain
  database: TestDatabase
  clock: TestClock
  log: RecordingLog
  url: string
  /** Adds a fake supplier with a database row, whose offers are on sale. */
  addFake(code?: string, offers?: Offer[], rentOffers?: RentOffer[]): Promise<FakeSupplier>
  addReal(
    make: (ctx: Context, row: SupplierRow) => Supplier,
    row: { code: string; kind: string; settings?: Record<string, unknown> },
  ): Promise<Supplier>
  addGateway(row: { code: string; kind: string; settings?: Record<string, unknown> }): Promise<number>
  makeUser(input?: { balance?: string; currency?: Currency; email?: string }): Promise<TestUser>
  makeApiKey(user: TestUser): Promise<string>
  /** Makes a request over the real socket. `duplex` is needed if its body is a stream. */
  fetch(path: string, init?: RequestInit & { token?: string; duplex?: 'half' }): Promise<Response>
  /** Runs every due job once. Mails go to the demo's mailbox, and to `smtp` if given. */
  runJobs(options?: { smtp?: Smtp }): Promise<void>
  /** Runs jobs, including failed jobs that wait for their next try. */
  hurryJobs(): Promise<void>
  deliveredMails: unknown[]
}

export async function startTestApp(
  options: {
    config?: Partial<Config>
    environment?: Record<string, string>
    pages?: PageRoutes
    clock?: TestClock
    redis?: Redis
    /** A database that another app of the test made. Together with `redis`, the two are nodes of one service. */
    database?: TestDatabase
    /** The address of a stand-by of the database. */
    replicaUrl?: string
  } = {},
): Promise<TestApp> {
  await using stack = new AsyncDisposableStack()
  const database = options.database ?? stack.use(await createTestDatabase())
  const { clock = createTestClock() } = options
  const log = recordingLog()
  const { connectionString } = database
  const pool = stack.use(
    new Pool({ connectionString, maxConnections: 8, applicationName: 'test', log, answerLimitMs: MINUTE }),
  )
  const { config: read, secrets } = readConfig({ DEMO: '1', PORT: '0', REALTIME_PORT: '0', ...options.environment })
  const eased = { apiRequestsPerSecond: 100_000, pagesPerSecond: 100_000, passwordCost: CHEAPEST_HASH }
  const config: Config = { ...read, ...eased, ...options.config }
  const { telegramToken, alarmSecret } = secrets
  const secretKey = 'a secret of tests, long enough to pass'
  const replica = openReplica({ ...config, databaseReplicaUrl: options.replicaUrl ?? null }, log)
  stack.use(replica)
  const ctx = buildContext({
    config,
    secrets: { secretKey, telegramToken, alarmSecret },
    pool,
    log,
    clock,
    redis: options.redis ?? null,
    replica,
  })
  stack.defer(() => ctx.background.idle())
  await loadCatalog(ctx)
  await loadSenders(ctx)
  stack.defer(() => suppliersOf(ctx).stop())
  stack.use(startHearing(ctx, () => undefined))
  const { app, drain } = await createDoor(ctx, options.pages)
  stack.defer(() => app.close())
  stack.defer(() => ctx.realtime.stop())
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const deliveredMails: unknown[] = []
  const running = stack.move()
  return {
    ctx,
    app,
    drain,
    database,
    clock,
    log,
    url,
    addFake: (code = 'fake', offers, rentOffers) => addFake(ctx, code, { offers, rentOffers }),
    addReal: (make, row) => addReal(ctx, make, row),
    addGateway: (row) => addGateway(ctx, row),
    makeUser: (input) => makeUser(ctx, input),
    makeApiKey: (user) => giveApiKey(ctx, user),
    fetch: (path, init = {}) => {
      const headers = new Headers(init.headers)
      if (init.token !== undefined) headers.set('authorization', `Bearer ${init.token}`)
      return fetch(`${url}${path}`, { ...init, headers, redirect: 'manual' })
    },
    runJobs: ({ smtp = null }: { smtp?: Smtp | null } = {}) => runJobs(ctx, { smtp, deliveredMails }),
    async hurryJobs() {
      await ctx.db.query({ text: `UPDATE graphile_worker._private_jobs SET run_at = now() - interval '1 minute'` })
      await runJobs(ctx, { smtp: null, deliveredMails })
    },
    deliveredMails,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function insertSupplier(ctx: Context, row: { code: string; kind: string; settings: object }): Promise<number> {
  const { rows } = await ctx.db.query<{ id: number }>({
    text: 'INSERT INTO suppliers (code, kind, settings, created_at) VALUES ($code, $kind, $settings, $now) RETURNING id',
    values: { ...row, settings: JSON.stringify(row.settings), now: ctx.clock.now() },
  })
  const id = rows[0]?.id
  if (id === undefined) throw new Error('the supplier was not inserted')
  await raiseCatalogVersion(ctx.db, ctx.clock.now())
  await loadCatalog(ctx)
  return id
}

async function addFake(
  ctx: Context,
  code: string,
  { offers, rentOffers }: { offers: Offer[] | undefined; rentOffers: RentOffer[] | undefined },
): Promise<FakeSupplier> {
  const id = await insertSupplier(ctx, { code, kind: 'fake', settings: {} })
  const fake = createFakeSupplier({ id, code, ...(offers && { offers }), ...(rentOffers && { rentOffers }) })
  await addSupplier(ctx, fake)
  return fake
}

async function addGateway(
  ctx: Context,
  { code, kind, settings = {} }: { code: string; kind: string; settings?: Record<string, unknown> },
): Promise<number> {
  const id = await insertGateway(ctx.db, { code, kind, settings, now: ctx.clock.now() })
  if (id === null) throw new Error(`there is already a gateway ${code}`)
  await followGateways(ctx)
  return id
}

async function addReal(
  ctx: Context,
  make: (ctx: Context, row: SupplierRow) => Supplier,
  row: { code: string; kind: string; settings?: Record<string, unknown> },
): Promise<Supplier> {
  const settings = row.settings ?? {}
  const id = await insertSupplier(ctx, { ...row, settings })
  const supplier = make(ctx, { ...row, settings, id })
  await addSupplier(ctx, supplier)
  return supplier
}

let users = 0

const PASSWORD = 'a long enough password'
/** The cheapest parameters of argon2, because hashing is slow on purpose. */
const CHEAPEST_HASH: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }
async function makeUser(
  ctx: Context,
  input: { balance?: string; currency?: Currency; email?: string } = {},
): Promise<TestUser> {
  users += 1
  const email = input.email ?? `buyer-${users}@example.test`
  const now = ctx.clock.now()
  const passwordHash = await makeHash(ctx, PASSWORD)
  const id = await transaction(ctx.db, (tx) =>
    createUser(tx, {
      email,
      name: 'Buyer',
      passwordHash,
      role: 'user',
      zone: 'ru',
      locale: 'ru',
      currency: input.currency ?? 'rub',
      emailVerifiedAt: now,
      now,
    }),
  )
  if (id === null) throw new Error(`${email} is taken`)
  const amountMicros = parseDecimal(input.balance ?? '100')
  if (amountMicros === null) throw new Error('not an amount')
  if (amountMicros > 0n) await adjustBalance(ctx.db, { userId: id, amountMicros, idempotencyKey: 'start', at: now })
  return { id, email, password: PASSWORD, ...(await beginTestSession(ctx, id)) }
}

/** Starts a new session of a user. Its tokens are valid for a quarter of an hour on the test clock. */
export async function beginTestSession(ctx: Context, userId: number): Promise<{ token: string; sessionId: bigint }> {
  const now = ctx.clock.now()
  const tokens = firstTokens(ctx)
  const origin = { userAgent: 'test', address: '127.0.0.1' }
  const sessionId = await insertSession(ctx.db, { ...toStored(tokens, now), ...origin, userId, now })
  return { token: tokens.access, sessionId }
}

async function giveApiKey(ctx: Context, user: TestUser): Promise<string> {
  const apiKey = makeApiKey(ctx.random)
  await replaceApiKey(ctx.db, { userId: user.id, apiKey, now: ctx.clock.now() })
  return apiKey
}

export function supplierTasks(ctx: Context) {
  return {
    'end-number': (payload: unknown) => endNumber(ctx, payload),
    'abandon-attempt': (payload: unknown) => abandonAttempt(ctx, payload),
    'end-rental': (payload: unknown) => endRental(ctx, payload),
    'abandon-rental': (payload: unknown) => abandonRental(ctx, payload),
    'abandon-extension': (payload: unknown) => abandonExtension(ctx, payload),
    'refund-payment': (payload: unknown) => refundPayment(ctx, payload),
    'mail-answer': (payload: unknown) => mailAnswer(ctx, payload),
    'export-data': (payload: unknown) => makeExport(ctx, payload),
  }
}

async function runJobs(
  ctx: Context,
  { smtp, deliveredMails }: { smtp: Smtp | null; deliveredMails: unknown[] },
): Promise<void> {
  await using pool = openJobPool(ctx.db)
  await runOnce({
    pgPool: pool.pg,
    logger: new Logger(() => (_level, message, meta) => ctx.log.debug({ meta }, message)),
    taskList: {
      ...supplierTasks(ctx),
      'tell-notification': (payload) => tellNotification(ctx, payload),
      'mail-notification': (payload) => mailNotification(ctx, payload),
      'push-message': (payload) => pushMessage(ctx, payload),
      ...telegramTasks(ctx),
      ...alarmTasks(ctx),
      'send-push': (payload) => sendPush(ctx, payload),
      'send-mail': async (payload) => {
        // Most tests send no mail, so the renderer is loaded only here.
        const renderer = await import('#web/entry-mails.tsx')
        await sendMail(ctx, { renderer, smtp, sent: () => endMailDown(ctx) }, payload)
        deliveredMails.push(payload)
      },
    },
  })
}
