import type { Connection } from '#server/house/realtime/connection.ts'
import type { RealtimeLimits } from '#server/house/realtime/limits.ts'
import { CODE, type Refusal } from '#server/house/realtime/protocol.ts'

type Crowd = { sockets: number; unauthorised: Set<Connection> }

/** Limits sockets per network. Unauthorised sockets are counted apart, because they are closed for new sockets. */
export class SocketLimits {
  readonly #limits: RealtimeLimits
  readonly #crowds = new Map<string, Crowd>()
  #sockets = 0
  #unauthorised = 0

  constructor(limits: RealtimeLimits) {
    this.#limits = limits
  }

  /**
   * Admits a new socket, refuses it, or closes the oldest unauthorised one, as honest clients authorise in a second.
   */
  forNewcomer(network: string): { leaves?: Connection; refusal?: Refusal } {
    const { maxSockets, maxSocketsPerAddress, maxUnauthorised, maxUnauthorisedPerAddress } = this.#limits
    const crowd = this.#crowds.get(network)
    const ofNetwork = crowd?.sockets ?? 0
    const unauthorisedOfNetwork = crowd?.unauthorised.size ?? 0
    if (ofNetwork >= maxSocketsPerAddress || unauthorisedOfNetwork >= maxUnauthorisedPerAddress) {
      const leaves = oldestOf(crowd)
      if (leaves !== undefined) return { leaves }
      return { refusal: { code: CODE.overQuota, message: 'Too many connections from this address' } }
    }
    if (this.#sockets < maxSockets && this.#unauthorised < maxUnauthorised) return {}
    const leaves = oldestOf(this.#largestUnauthorised())
    if (leaves !== undefined) return { leaves }
    return { refusal: { code: CODE.overCapacity, message: 'Over capacity' } }
  }

  take(connection: Connection): void {
    const crowd = this.#crowds.get(connection.network) ?? { sockets: 0, unauthorised: new Set() }
    this.#crowds.set(connection.network, crowd)
    crowd.sockets += 1
    crowd.unauthorised.add(connection)
    this.#sockets += 1
    this.#unauthorised += 1
  }

  authorised(connection: Connection): void {
    if (this.#crowds.get(connection.network)?.unauthorised.delete(connection) === true) this.#unauthorised -= 1
  }

  leave(connection: Connection): void {
    this.authorised(connection)
    const crowd = this.#crowds.get(connection.network)
    if (crowd === undefined) return
    crowd.sockets -= 1
    this.#sockets -= 1
    if (crowd.sockets === 0) this.#crowds.delete(connection.network)
  }

  #largestUnauthorised(): Crowd | undefined {
    let largest: Crowd | undefined
    for (const crowd of this.#crowds.values()) {
      if (crowd.unauthorised.size > (largest?.unauthorised.size ?? 0)) largest = crowd
    }
    return largest
  }
}

function oldestOf(crowd: Crowd | undefined): Connection | undefined {
  return crowd?.unauthorised.values().next().value
}
