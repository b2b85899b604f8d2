import type { FastifyInstance, InjectOptions } from 'fastify'
import { MINUTE, SECOND } from '#contract/time.ts'
import { WEBHOOK_EVENTS } from '#contract/webhooks/webhook.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import { senderBookOf } from '#server/core/numbers/messages/sender-book.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Supplier } from '#server/core/suppliers/supplier.ts'
import { unseal } from '#server/house/config/secret-key.ts'
import type { Context } from '#server/house/context.ts'
import { createApp } from '#server/programs/app.ts'
import { buildContext } from '#server/programs/boot/build-context.ts'
import { claimLeft, settleLeft, sweepsOf } from '#server/programs/boot/recover-left.ts'
import { FaultyPool } from '#test/bad-days/crash-walk/faults/faulty-pool.ts'
import { addFakeGateway, type FakeGateway } from '#test/fakes/fake-gateway.ts'
import { fakeRentOffers } from '#test/fakes/fake-rent.ts'
import { type FakeSupplier, fakeOffer } from '#test/fakes/fake-supplier.ts'
import { startTestApp, supplierTasks, type TestApp, type TestUser } from '#test/harness/harness.ts'

/** A run of the service, from its start until it is killed. */
export type Life = { ctx: Context; app: FastifyInstance; faulty: FaultyPool }

export type Answer = {
  status: number
  code: string | null
  body: Record<string, unknown>
  cookies: Record<string, string>
}

type Mailed = { to: string; mail: Record<string, unknown> }

/** A database that several runs of the service use one after another. Suppliers and buyers outlive each run. */
export type World = AsyncDisposable & {
  t: TestApp
  suppliers: readonly [FakeSupplier, FakeSupplier]
  /** Suppliers of single walks. */
  joined: readonly Supplier[]
  gateway: FakeGateway
  life: Life
  mailed: Mailed[]
  /** Adds a supplier to this run and all later ones. */
  join(supplier: Supplier): Promise<void>
  /** The number of buyers so far, which gives each buyer a network of its own. */
  buyers: number
}

export async function openWorld(): Promise<World> {
  const t = await startTestApp()
  const first = await t.addFake('first', [fakeOffer], fakeRentOffers)
  const dearer = { ...fakeOffer, costMicros: 10_100_000n }
  const second = await t.addFake(
    'second',
    [dearer],
    fakeRentOffers.map((offer) => ({ ...offer, costMicros: offer.costMicros + 1_000n })),
  )
  first.repeats = true
  const suppliers = [first, second] as const
  const joined: Supplier[] = []
  const gateway = await addFakeGateway(t)
  const world: World = {
    t,
    suppliers,
    gateway,
    joined,
    life: await begin(t, { suppliers, joined, gateway }),
    mailed: [],
    async join(supplier) {
      joined.push(supplier)
      await suppliersOf(world.life.ctx).add(supplier)
    },
    buyers: 0,
    [Symbol.asyncDispose]: async () => {
      await world.life.app.close()
      await world.life.faulty.pool[Symbol.asyncDispose]()
      await t[Symbol.asyncDispose]()
    },
  }
  return world
}

/** Starts a run of the service. Only data that no process changes is shared between runs. */
async function begin(t: TestApp, outside: Pick<World, 'suppliers' | 'joined' | 'gateway'>): Promise<Life> {
  const { config, secrets } = t.ctx
  const faulty = new FaultyPool({ ...t.ctx.db.options, maxConnections: 4, applicationName: 'walk' }, t.ctx.db)
  const ctx = buildContext({ config, secrets, pool: faulty.pool, log: t.log, clock: t.clock })
  for (const shared of [catalogOf, rentCatalogOf, senderBookOf]) shared.share(t.ctx, ctx)
  for (const supplier of [...outside.suppliers, ...outside.joined]) await suppliersOf(ctx).add(supplier)
  gatewaysOf(ctx).put({ gateway: outside.gateway, settingsVersion: 1, isPaused: false })
  return { ctx, faulty, app: await createApp(ctx) }
}

/** Replaces the running service by a new process. The old process is left as it is, and gets no more answers. */
export async function beginAgain(world: World): Promise<void> {
  world.life = await begin(world.t, world)
}

export async function recover({ life: { ctx } }: World): Promise<void> {
  await claimLeft(ctx)
  await settleLeft(ctx)
}

/** A time in ms after which an order may no longer stay between two states. */
const RIPE_MS = MINUTE + SECOND

export async function settleDown(world: World): Promise<void> {
  const { ctx, faulty } = world.life
  world.t.clock.advance(RIPE_MS)
  await faulty.spared(async () => {
    do {
      for (const { work } of sweepsOf(ctx)) await work()
    } while ((await runJobs(world)) > 0)
    await ctx.background.idle()
  })
}

/** Runs the queued jobs and returns their number. A failed job stays queued. SQL statements are not counted. */
export async function runJobs(world: World): Promise<number> {
  const { db } = world.t.ctx
  const tasks: Record<string, (payload: unknown) => Promise<void>> = supplierTasks(world.life.ctx)
  const { rows } = await db.query<{ id: bigint; task: string; payload: Record<string, unknown> }>({
    name: 'walk-jobs',
    text: `SELECT j.id, t.identifier AS task, j.payload FROM graphile_worker._private_jobs j
      JOIN graphile_worker._private_tasks t ON t.id = j.task_id ORDER BY j.id`,
  })
  for (const { id, task, payload } of rows) {
    if (task === 'send-mail') world.mailed.push(openMail(world, payload))
    else await tasks[task]?.(payload)
    await db.query({
      name: 'walk-job-done',
      text: 'DELETE FROM graphile_worker._private_jobs WHERE id = $1',
      values: [id],
    })
  }
  return rows.length
}

function openMail({ t }: World, payload: Record<string, unknown>): Mailed {
  return unseal(payload, [t.ctx.secrets.secretKey]).value as Mailed
}

export function mailTo(world: World, address: string): Record<string, unknown> {
  const found = world.mailed.findLast(({ to }) => to === address)
  if (found === undefined) throw new Error(`nothing was mailed to ${address}`)
  return found.mail
}

export type Client = TestUser & { network: string; cookies: Record<string, string> }

export async function makeClient(world: World, balance = '1000'): Promise<Client> {
  const user = await world.t.makeUser({ balance })
  await addWebhook(world, user.id)
  return { ...user, ...newBrowser(world) }
}

/** Adds a webhook, so that check-case.ts can check that each event is queued once. */
async function addWebhook({ t }: World, userId: number): Promise<void> {
  await t.ctx.db.query({
    text: `INSERT INTO webhook_endpoints (user_id, label, url, host, form, events, secret, created_at)
      VALUES ($userId, 'Walk', 'https://walk.test/', 'walk.test', 'standard', $events, '{}', $now)`,
    values: { userId, events: WEBHOOK_EVENTS, now: t.clock.now() },
  })
}

export function newBrowser(world: World): { network: string; cookies: Record<string, string> } {
  world.buyers += 1
  return { network: `10.${world.buyers >> 16}.${(world.buyers >> 8) & 255}.${world.buyers & 255}`, cookies: {} }
}

/** Calls the running service over its API. Returns null if the process is killed before it answers. */
export async function ask(
  world: World,
  client: { token?: string; network: string; cookies: Record<string, string> },
  call: string,
  { key, ...body }: Record<string, unknown> & { key?: string } = {},
): Promise<Answer | null> {
  const { app, faulty } = world.life
  const [method = '', url = ''] = call.split(' ')
  const options: InjectOptions = {
    method: method as 'POST',
    url,
    remoteAddress: client.network,
    cookies: client.cookies,
    headers: {
      host: 'ringpost.test',
      origin: 'http://ringpost.test',
      ...(client.token !== undefined && { authorization: `Bearer ${client.token}` }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(method !== 'GET' && method !== 'DELETE' && { payload: body }),
  }
  const reply = await Promise.race([app.inject(options), faulty.killed])
  if (reply === undefined) return null
  const answer = JSON.parse(reply.body) as Record<string, unknown>
  const cookies = Object.fromEntries(reply.cookies.map(({ name, value }) => [name, value]))
  return { status: reply.statusCode, code: (answer.code as string | undefined) ?? null, body: answer, cookies }
}
