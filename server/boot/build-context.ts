import { createHmac } from 'node:crypto'
import { KeyCallLog } from '#server/accounts/api-keys/call-log.ts'
import { PASSWORD_COST, type PasswordCost } from '#server/accounts/users/password-cost.ts'
import { Background } from '#server/background.ts'
import { HealthBook } from '#server/catalog/health/health-book.ts'
import { CatalogIndex } from '#server/catalog/offers/catalog-index.ts'
import { RentIndex } from '#server/catalog/offers/rent-index.ts'
import { SupplierLists } from '#server/catalog/offers/supplier-lists.ts'
import { RouteBook } from '#server/catalog/routing/route-book.ts'
import { createServiceClock, type Random, type ServiceClock, systemRandom } from '#server/clock.ts'
import type { Config } from '#server/config/config.ts'
import type { ProviderSecrets } from '#server/config/provider-settings.ts'
import type { Context } from '#server/context.ts'
import type { Pool } from '#server/db/pool.ts'
import { GatewayRegistry } from '#server/gateways/registry.ts'
import { createClientAddress } from '#server/http/door/client-address.ts'
import { createMetrics } from '#server/http/door/metrics.ts'
import type { Log } from '#server/log.ts'
import { createMessageTurns, PLAY_PARALLEL } from '#server/numbers/delivery/turns.ts'
import { PlayRoom } from '#server/numbers/limits/play-room.ts'
import { UnwantedBook } from '#server/numbers/limits/unwanted-book.ts'
import { PendingMatches } from '#server/numbers/messages/pending-matches.ts'
import { SenderBook } from '#server/numbers/messages/sender-book.ts'
import { UnderWay } from '#server/numbers/sourcing/under-way.ts'
import { EventIntake } from '#server/payments/events/event-intake.ts'
import { PaymentChecks } from '#server/payments/payment-checks.ts'
import { createRealtime } from '#server/realtime/realtime.ts'
import { SupplierRegistry } from '#server/suppliers/registry.ts'
import { type Bot, createBot } from '#server/telegram/bot.ts'
import { WebhookPost } from '#server/webhooks/sending/post.ts'
import { tellOfSetBack } from './continue-time.ts'

export type ContextParts = {
  config: Config
  secretKey: string
  previousSecretKeys?: readonly string[]
  providers?: ProviderSecrets
  telegramToken?: string | null
  alarmSecret?: string | null
  passwordCost?: PasswordCost
  pool: Pool
  log: Log
  clock?: ServiceClock
  random?: Random
}

export function buildContext(parts: ContextParts): Context {
  const { config, secretKey, pool, random = systemRandom } = parts
  const log = pool.outages.quiet(parts.log)
  const { clock = createServiceClock({ onSetBack: tellOfSetBack(log) }) } = parts
  const metrics = createMetrics({ ofProcess: config.metricsPort !== null })
  const clients = createClientAddress(config.trustedProxies)
  const realtime = createRealtime({
    clock,
    random,
    log,
    networkOf: clients.networkOf,
    config: {
      appKey: config.realtime.appKey,
      appSecret: createHmac('sha256', secretKey).update('realtime signatures').digest('hex'),
      host: config.host,
      port: config.realtime.port,
      // The demo is opened under any name its machine has.
      allowedOrigins: config.demo ? undefined : allowedOrigins(config),
    },
    metrics: {
      closed: () => metrics.liveSockets.set(realtime.stats().sockets),
      refused: () => metrics.refusals.inc({ kind: 'socket' }),
      published: (event) => metrics.liveEvents.inc({ event }),
    },
  })
  return {
    config,
    secretKey,
    previousSecretKeys: parts.previousSecretKeys ?? [],
    providers: parts.providers ?? {},
    alarmSecret: parts.alarmSecret ?? null,
    telegram: botOf(config, parts.telegramToken ?? null),
    passwordCost: parts.passwordCost ?? PASSWORD_COST,
    clock,
    random,
    log,
    db: pool,
    metrics,
    clients,
    catalog: new CatalogIndex(),
    rentCatalog: new RentIndex(),
    lists: new SupplierLists(),
    health: new HealthBook(),
    unwanted: new UnwantedBook(),
    routes: new RouteBook(),
    senders: new SenderBook(),
    matches: new PendingMatches(),
    suppliers: new SupplierRegistry(log),
    sandbox: {
      catalog: new CatalogIndex(),
      rentCatalog: new RentIndex(),
      routes: new RouteBook(),
      health: new HealthBook(),
      unwanted: new UnwantedBook(),
      matches: new PendingMatches(),
      room: new PlayRoom(),
      messageTurns: createMessageTurns(clock, { parallel: PLAY_PARALLEL }),
      supplierId: null,
      fill: async () => undefined,
      pricedBy: null,
      metrics: createMetrics({ ofProcess: false }),
    },
    gateways: new GatewayRegistry(),
    paymentChecks: new PaymentChecks(),
    gatewayEvents: new EventIntake(),
    realtime,
    keyCalls: new KeyCallLog(),
    webhooks: new WebhookPost(),
    background: new Background(log),
    notices: { list: [] },
    serving: { ending: false },
    messageTurns: createMessageTurns(clock),
    buying: { stopped: false },
    reserving: new UnderWay(),
    preorders: { version: -1, lookAt: 0, sweptAt: 0 },
    renting: new UnderWay(),
  }
}

function botOf({ telegram }: Config, token: string | null): Bot | null {
  return telegram === null || token === null ? null : createBot({ ...telegram, token })
}

function allowedOrigins(config: Config): string[] {
  const { protocol, port, origin } = config.publicUrl
  const ofZones = config.zones.flatMap((zone) => zone.hosts).map((host) => `${protocol}//${host}${port && `:${port}`}`)
  return [...new Set([origin, ...ofZones])]
}
