import { createHmac } from 'node:crypto'
import { Background } from '#server/house/background.ts'
import { createServiceClock, type Random, type ServiceClock, systemRandom } from '#server/house/clock.ts'
import type { Config, ServiceSecrets } from '#server/house/config/config.ts'
import type { Context } from '#server/house/context.ts'
import type { Pool } from '#server/house/db/pool.ts'
import { createClientAddress } from '#server/house/http/door/client-address.ts'
import { createMetrics } from '#server/house/http/door/metrics.ts'
import type { Log } from '#server/house/log.ts'
import { Memory } from '#server/house/memory.ts'
import { createRealtime } from '#server/house/realtime/realtime.ts'
import type { Redis } from '#server/house/redis/redis.ts'
import type { Replica } from '#server/house/replica/replica.ts'
import { tellOfSetBack } from './continue-time.ts'

export type ContextParts = {
  config: Config
  secrets: Partial<ServiceSecrets> & Pick<ServiceSecrets, 'secretKey'>
  pool: Pool
  log: Log
  clock?: ServiceClock
  random?: Random
  redis?: Redis | null
  replica?: Replica | null
}

export function buildContext(parts: ContextParts): Context {
  const { config, secrets, pool, random = systemRandom } = parts
  const log = pool.outages.quiet(parts.log)
  const { clock = createServiceClock({ onSetBack: tellOfSetBack(log) }) } = parts
  const memory = new Memory()
  const metrics = createMetrics({ ofProcess: config.metricsPort !== null, memory, release: config.release })
  const clients = createClientAddress(config.trustedProxies)
  const realtime = createRealtime({
    clock,
    random,
    log,
    networkOf: clients.networkOf,
    config: {
      appKey: config.realtime.appKey,
      appSecret: createHmac('sha256', secrets.secretKey).update('realtime signatures').digest('hex'),
      host: config.host,
      port: config.realtime.port,
      // Visitors may open the demo under any name of its machine, so live sockets of all origins are allowed.
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
    secrets: { previousSecretKeys: [], providers: {}, telegramToken: null, alarmSecret: null, ...secrets },
    clock,
    random,
    log,
    db: pool,
    memory,
    metrics,
    clients,
    realtime,
    background: new Background(log),
    redis: parts.redis ?? null,
    replica: parts.replica ?? null,
  }
}

function allowedOrigins(config: Config): string[] {
  const { protocol, port, origin } = config.publicUrl
  const ofZones = config.zones.flatMap((zone) => zone.hosts).map((host) => `${protocol}//${host}${port && `:${port}`}`)
  return [...new Set([origin, ...ofZones])]
}
