import type { IncomingMessage } from 'node:http'
import type { LiveEventName, SentEvents } from '#contract/live-events.ts'
import type { Clock, Random } from '#server/house/clock.ts'
import type { TlsTexts } from '#server/house/config/tls-files.ts'
import type { Log } from '#server/house/log.ts'
import { authoriseChannel, authoriseUser, type Claimant } from '#server/house/realtime/authorise.ts'
import { type ChannelWatcher, Hub } from '#server/house/realtime/hub.ts'
import { DEFAULT_LIMITS, type RealtimeLimits } from '#server/house/realtime/limits.ts'
import { keepAlive } from '#server/house/realtime/liveness.ts'
import { publishBySession, publishEvent, sessionsOf } from '#server/house/realtime/publish.ts'
import { type HttpServer, SocketServer } from '#server/house/realtime/socket-server.ts'
import { closeServer, listenOn, renewCertificate, standaloneServer } from '#server/house/realtime/standalone-server.ts'

export type RealtimeConfig = {
  appKey: string
  appSecret: string
  host: string
  port: number
  allowedOrigins?: readonly string[] | undefined
  publicChannels?: readonly string[] | undefined
  limits?: Partial<RealtimeLimits> | undefined
}

/** Callbacks for metrics. They run on the hot path, so they must be fast. */
export type RealtimeMetrics = {
  closed(code: number): void
  refused(code: number): void
  published(event: LiveEventName, receivers: number): void
}

export type RealtimeOptions = {
  config: RealtimeConfig
  clock: Clock
  random: Random
  log: Log
  metrics?: RealtimeMetrics | undefined
  networkOf: (request: IncomingMessage) => string
}

export type RealtimeStats = {
  sockets: number
  open: number
  channels: number
  subscriptions: number
  sessions: number
}

export type Realtime = AsyncDisposable & {
  /** Sets the certificate of new connections. Must be called after `listen`. */
  setCertificate(tls: TlsTexts): void
  listen(): Promise<{ port: number }>
  attach(server: HttpServer): void
  /** Makes this process one of several nodes: `watcher` learns whose events it needs from the others. */
  watch(watcher: ChannelWatcher): void
  /** Tells cheaply whether anybody listens to a channel, which saves queries for an event without receivers. */
  hasListeners(channel: string): boolean
  /** Tells whether an open page, and not only a program with an API key, is subscribed to the channel. */
  hasTabs(channel: string): boolean
  /**
   * Sends an event to the subscribers of a channel. Must be called after the commit. Returns the number of receivers.
   */
  publish<Name extends LiveEventName>(channel: string, event: Name, payload: SentEvents[Name]): number
  sessionsOf(channel: string): string[]
  publishBySession<Name extends LiveEventName>(
    channel: string,
    event: Name,
    payloadFor: (session: string) => SentEvents[Name] | null,
  ): number
  authorise(claimant: Claimant & { channel: string }): { auth: string }
  authoriseUser(claimant: Claimant): { auth: string; user_data: string }
  openSessions(): string[]
  /** Closes the session's sockets (4009) and refuses its later signatures. Returns the number of sockets. */
  closeSession(sessionId: string): number
  /** Closes the session's sockets (4203). Clients reconnect at once, and their rights are checked anew. */
  renewSession(sessionId: string): number
  closeUser(userId: number): number
  tick(): void
  stats(): RealtimeStats
  /**
   * Closes all sockets (4200), so that clients reconnect to the next process. Call it before attached servers close.
   */
  stop(): Promise<void>
}

export function createRealtime({ config, clock, random, log, metrics, networkOf }: RealtimeOptions): Realtime {
  const { appKey, appSecret } = config
  const limits = { ...DEFAULT_LIMITS, ...config.limits }
  const hub = new Hub({
    credentials: { appKey, appSecret },
    publicChannels: config.publicChannels ?? [],
    limits,
    clock,
    random,
    onEnded: (code) => metrics?.closed(code),
  })
  const sockets = new SocketServer({
    hub,
    log,
    rules: { appKey, allowedOrigins: config.allowedOrigins?.map((origin) => origin.toLowerCase()) },
    networkOf,
    onRefused: (code) => metrics?.refused(code),
  })
  const tick = () => keepAlive(hub)
  const ticker = setInterval(tick, limits.tickMs).unref()
  let ownServer: HttpServer | undefined
  let tls: TlsTexts | undefined

  const stop = async (): Promise<void> => {
    clearInterval(ticker)
    const server = ownServer
    ownServer = undefined
    // The server stops listening first, because clients reconnect at once and must not reach this process.
    await Promise.all([server === undefined ? undefined : closeServer(server), sockets.stop()])
  }

  return {
    setCertificate(next) {
      tls = next
      if (ownServer !== undefined) renewCertificate(ownServer, next)
    },
    async listen() {
      const server = standaloneServer(tls)
      sockets.attach(server)
      const port = await listenOn(server, config)
      ownServer = server
      return { port }
    },
    attach: (server) => sockets.attach(server),
    watch(watcher) {
      hub.watcher = watcher
      hub.hasPeers = true
    },
    hasListeners: (channel) => hub.channels.members(channel).size > 0,
    hasTabs: (channel) => hub.hasTabs(channel),
    publish(channel, name, payload) {
      const receivers = publishEvent(hub, log, { channel, name, payload })
      metrics?.published(name, receivers)
      return receivers
    },
    sessionsOf: (channel) => sessionsOf(hub, channel),
    publishBySession(channel, name, payloadFor) {
      const receivers = publishBySession(hub, log, { channel, name, payloadFor })
      metrics?.published(name, receivers)
      return receivers
    },
    authorise: (claimant) => authoriseChannel(hub, claimant),
    authoriseUser: (claimant) => authoriseUser(hub, claimant),
    openSessions: () => hub.sessions.ids,
    closeSession: (sessionId) => hub.closeSession(sessionId),
    renewSession: (sessionId) => hub.renewSession(sessionId),
    closeUser: (userId) => hub.closeUser(userId),
    tick,
    stats: () => statsOf(hub, sockets),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

function statsOf(hub: Hub, sockets: SocketServer): RealtimeStats {
  return {
    sockets: hub.connections.size,
    open: sockets.open,
    channels: hub.channels.count,
    subscriptions: hub.channels.subscriptions,
    sessions: hub.sessions.count,
  }
}
