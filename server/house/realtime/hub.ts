import type { Clock, Random } from '#server/house/clock.ts'
import { AccountSockets } from '#server/house/realtime/account-sockets.ts'
import type { AppCredentials } from '#server/house/realtime/channel-auth.ts'
import { Channels } from '#server/house/realtime/channels.ts'
import { Connection, type Wire } from '#server/house/realtime/connection.ts'
import type { RealtimeLimits } from '#server/house/realtime/limits.ts'
import { CODE, establishedFrame, type Refusal } from '#server/house/realtime/protocol.ts'
import { SessionRegister } from '#server/house/realtime/sessions.ts'
import { SocketLimits } from '#server/house/realtime/socket-limits.ts'

const SOCKET_ID_HALF_BYTES = 6

export type HubOptions = {
  credentials: AppCredentials
  publicChannels: readonly string[]
  limits: RealtimeLimits
  clock: Clock
  random: Random
  onEnded: (code: number) => void
}

/** Learns who entered and left channels. `entered` calls `then` once the channel's events arrive at this process. */
export type ChannelWatcher = { entered(channel: string, then: () => void): void; left(channel: string): void }

export class Hub {
  readonly options: HubOptions
  readonly connections = new Map<string, Connection>()
  readonly channels = new Channels<Connection>()
  readonly sessions: SessionRegister<Connection>
  readonly people = new AccountSockets()
  readonly #places: SocketLimits
  /** True if other nodes hold sockets too, for which this node may have to sign. */
  hasPeers = false
  watcher: ChannelWatcher = { entered: (_channel, then) => then(), left: () => undefined }

  constructor(options: HubOptions) {
    this.options = options
    this.sessions = new SessionRegister(options.limits.endedSessionMs)
    this.#places = new SocketLimits(options.limits)
  }

  nowMs(): number {
    return this.options.clock.now().getTime()
  }

  admit(network: string): Refusal | undefined {
    const { leaves, refusal } = this.#places.forNewcomer(network)
    if (leaves !== undefined) this.end(leaves, { code: CODE.overCapacity, message: 'Not authorised yet, gave way' })
    return refusal
  }

  open(wire: Wire, network: string): Connection {
    const connection = new Connection(this.#newSocketId(), { wire, network, nowMs: this.nowMs() })
    this.connections.set(connection.id, connection)
    this.#places.take(connection)
    this.send(connection, establishedFrame(connection.id, this.options.limits.activityTimeoutMs))
    return connection
  }

  settle(connection: Connection): void {
    connection.settle(this.nowMs())
    if (connection.authorised) this.#places.authorised(connection)
  }

  /**
   * Sends a frame. A client that is too slow gets 4100 and must pause, because reconnecting would refill its buffer.
   */
  send(connection: Connection, frame: string): boolean {
    if (connection.ended) return false
    if (connection.wire.send(frame)) return true
    this.end(connection, { code: CODE.overCapacity, message: 'The client reads too slowly' })
    return false
  }

  end(connection: Connection, { code, message }: Refusal): void {
    if (connection.ended) return
    this.forget(connection, code)
    connection.wire.close(code, message)
  }

  forget(connection: Connection, code: number): void {
    if (connection.ended) return
    connection.ended = true
    this.connections.delete(connection.id)
    this.#places.leave(connection)
    for (const channel of connection.channels) this.leave(channel, connection)
    for (const { sessionId } of connection.identities) this.sessions.release(sessionId, connection)
    this.people.leave(connection.identities)
    connection.dropGrants()
    this.options.onEnded(code)
  }

  /** Calls `then` when the entry may be confirmed. */
  join(channel: string, connection: Connection, then: () => void): void {
    this.channels.join(channel, connection)
    this.watcher.entered(channel, then)
  }

  leave(channel: string, connection: Connection): void {
    this.channels.leave(channel, connection)
    this.watcher.left(channel)
  }

  hasTabs(channel: string): boolean {
    for (const { keyChannels } of this.channels.members(channel)) if (!keyChannels.includes(channel)) return true
    return false
  }

  closeSession(sessionId: string): number {
    return this.#closeSockets(sessionId, { code: CODE.unauthorised, message: 'The session has ended' })
  }

  renewSession(sessionId: string): number {
    return this.#closeSockets(sessionId, { code: CODE.rulesChanged, message: 'What this key may do has changed' })
  }

  #closeSockets(sessionId: string, refusal: Refusal): number {
    const sockets = this.sessions.end(sessionId, this.nowMs())
    for (const socket of sockets) this.end(socket, refusal)
    return sockets.length
  }

  closeUser(userId: number): number {
    let closed = 0
    for (const connection of this.connections.values()) {
      if (!connection.identities.some((identity) => identity.userId === userId)) continue
      this.end(connection, { code: CODE.unauthorised, message: 'The account was signed out' })
      closed += 1
    }
    return closed
  }

  #newSocketId(): string {
    const bytes = this.options.random.bytes(2 * SOCKET_ID_HALF_BYTES)
    const id = `${bytes.readUIntBE(0, SOCKET_ID_HALF_BYTES)}.${bytes.readUIntBE(SOCKET_ID_HALF_BYTES, SOCKET_ID_HALF_BYTES)}`
    return this.connections.has(id) ? this.#newSocketId() : id
  }
}
