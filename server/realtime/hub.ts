import type { Clock, Random } from '#server/clock.ts'
import type { AppCredentials } from '#server/realtime/channel-auth.ts'
import { Channels } from '#server/realtime/channels.ts'
import { Connection, type Wire } from '#server/realtime/connection.ts'
import type { RealtimeLimits } from '#server/realtime/limits.ts'
import { Places } from '#server/realtime/places.ts'
import { CODE, establishedFrame, type Refusal } from '#server/realtime/protocol.ts'
import { SessionRegister } from '#server/realtime/sessions.ts'

const SOCKET_ID_HALF_BYTES = 6

export type HubOptions = {
  credentials: AppCredentials
  publicChannels: readonly string[]
  limits: RealtimeLimits
  clock: Clock
  random: Random
  /** Told once for each socket that ends, whoever ended it. */
  onEnded: (code: number) => void
}

/** All sockets of this process, whatever port they came in by, and who listens to what. */
export class Hub {
  readonly options: HubOptions
  readonly connections = new Map<string, Connection>()
  readonly channels = new Channels<Connection>()
  readonly sessions: SessionRegister<Connection>
  readonly #places: Places

  constructor(options: HubOptions) {
    this.options = options
    this.sessions = new SessionRegister(options.limits.endedSessionMs)
    this.#places = new Places(options.limits)
  }

  nowMs(): number {
    return this.options.clock.now().getTime()
  }

  /** Makes room for a newcomer of this network, or says why there is none. */
  admit(network: string): Refusal | undefined {
    const { leaves, refusal } = this.#places.forNewcomer(network)
    if (leaves !== undefined) this.end(leaves, { code: CODE.overCapacity, message: 'Not authorised yet, gave way' })
    return refusal
  }

  /** Welcomes a socket that was admitted: it has an id from now on and is told so. */
  open(wire: Wire, network: string): Connection {
    const connection = new Connection(this.#newSocketId(), { wire, network, nowMs: this.nowMs() })
    this.connections.set(connection.id, connection)
    this.#places.take(connection)
    this.send(connection, establishedFrame(connection.id, this.options.limits.activityTimeoutMs))
    return connection
  }

  /** Notes that a channel was entered or left, or a user signed in. */
  settle(connection: Connection): void {
    connection.settle(this.nowMs())
    if (connection.authorised) this.#places.authorised(connection)
  }

  /**
   * Sends one frame. A client that does not read is cut with 4100, so that it returns after a pause and fetches what it
   * missed: with a code that calls it back at once it would only fill its buffer again.
   */
  send(connection: Connection, frame: string): boolean {
    if (connection.ended) return false
    if (connection.wire.send(frame)) return true
    this.end(connection, { code: CODE.overCapacity, message: 'The client reads too slowly' })
    return false
  }

  /** Closes a socket. From this call on it receives nothing and is heard no more. */
  end(connection: Connection, { code, message }: Refusal): void {
    if (connection.ended) return
    this.forget(connection, code)
    connection.wire.close(code, message)
  }

  /** Forgets a socket that is gone. Harmless when repeated. */
  forget(connection: Connection, code: number): void {
    if (connection.ended) return
    connection.ended = true
    this.connections.delete(connection.id)
    this.#places.leave(connection)
    for (const channel of connection.channels) this.channels.leave(channel, connection)
    for (const { sessionId } of connection.identities) this.sessions.release(sessionId, connection)
    connection.dropGrants()
    this.options.onEnded(code)
  }

  /** Closes every socket that a session signed for, and refuses its signatures from now on. Says how many. */
  closeSession(sessionId: string): number {
    const sockets = this.sessions.end(sessionId, this.nowMs())
    for (const socket of sockets) this.end(socket, { code: CODE.unauthorised, message: 'The session has ended' })
    return sockets.length
  }

  /** Closes every socket that any session of a user signed for. Says how many. */
  closeUser(userId: number): number {
    let closed = 0
    for (const connection of this.connections.values()) {
      if (!connection.identities.some((identity) => identity.userId === userId)) continue
      this.end(connection, { code: CODE.unauthorised, message: 'The account was signed out' })
      closed += 1
    }
    return closed
  }

  /** Two numbers of 48 random bits: the form of the protocol, and nothing that can be guessed. */
  #newSocketId(): string {
    const bytes = this.options.random.bytes(2 * SOCKET_ID_HALF_BYTES)
    const id = `${bytes.readUIntBE(0, SOCKET_ID_HALF_BYTES)}.${bytes.readUIntBE(SOCKET_ID_HALF_BYTES, SOCKET_ID_HALF_BYTES)}`
    return this.connections.has(id) ? this.#newSocketId() : id
  }
}
