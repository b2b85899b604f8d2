import { SECOND } from '#contract/time.ts'
import type { DueDelivery } from '#server/core/webhooks/queries/sending.ts'
import { boundedCache } from '#server/house/bounded-cache.ts'

/** The maximum number of concurrent requests to an endpoint that answers; an endpoint not known to answer has one. */
export const MOST_PER_ENDPOINT = 4
export const SLOW_FROM_MS = SECOND
const MOST_KNOWN = 10_000

/**
 * A request is `quick` for its first second, unless the endpoint's last request was `slow`. Slow requests wait only for
 * slow requests.
 */
type Pace = 'quick' | 'slow'
/** Tests and replays (`free`) and the sandbox (`play`) cost an attacker nothing, so each cause has slots of its own. */
type Cause = DueDelivery['cause']
type Lane = `${Pace} ${Cause}`
type Request = { id: bigint; endpointId: number; ownerId: number; host: string; pace: Pace; cause: Cause }

/** The limits of concurrent requests. `perHost` keeps one hanging host from taking every slot. */
const LIMITS: Record<Lane, { hands: number; perOwner: number; perHost: number }> = {
  'quick paid': { hands: 128, perOwner: 16, perHost: 32 },
  'quick free': { hands: 32, perOwner: 10, perHost: 16 },
  'slow paid': { hands: 64, perOwner: 4, perHost: 32 },
  'slow free': { hands: 16, perOwner: 2, perHost: 8 },
  'quick play': { hands: 24, perOwner: 5, perHost: 12 },
  'slow play': { hands: 8, perOwner: 2, perHost: 4 },
}
/**
 * The limits of slow requests, including those that were quick before. Any further one is aborted, which frees a slot.
 */
const MOST_SLOW: Record<Cause, { hands: number; perOwner: number }> = {
  paid: { hands: 384, perOwner: 16 },
  free: { hands: 64, perOwner: 10 },
  play: { hands: 32, perOwner: 5 },
}

/**
 * Limits concurrent requests. A long one moves from a quick to a slow slot, so that a hanging host holds no quick one.
 */
export class SendingSlots {
  readonly #requests = new Map<bigint, Request>()
  readonly #paces = boundedCache<number, Pace>(MOST_KNOWN)
  /** The serial number of each owner's last request, counted in this process. */
  readonly #lastServed = boundedCache<number, number>(MOST_KNOWN)
  #begun = 0
  readonly #perEndpoint = new Map<number, number>()
  readonly #perOwner = new Map<string, number>()
  readonly #perHost = new Map<string, number>()
  readonly #inLane: Record<Lane, number> = {
    'quick paid': 0,
    'quick free': 0,
    'quick play': 0,
    'slow paid': 0,
    'slow free': 0,
    'slow play': 0,
  }

  get sending(): bigint[] {
    return [...this.#requests.keys()]
  }

  get isIdle(): boolean {
    return this.#requests.size === 0
  }

  get free(): number {
    return LIMITS['quick paid'].hands - this.#inLane['quick paid']
  }

  get isFull(): boolean {
    return this.free <= 0
  }

  /** Returns endpoints and hosts that have no free slot; `take` makes the final decision. */
  closed(): { endpoints: number[]; hosts: string[] } {
    const full = [...this.#perEndpoint].filter(([id, count]) => count >= this.#allowed(id)).map(([id]) => id)
    const slow = this.#isFull('slow paid') ? this.#slowOnes() : []
    return { endpoints: [...new Set([...full, ...slow])], hosts: this.#fullHosts('quick paid') }
  }

  /**
   * Returns the endpoints and hosts without a slot for free or sandbox deliveries, which must never delay paid ones.
   */
  closedTo(cause: 'free' | 'play', endpoints: readonly number[]): { endpoints: number[]; hosts: string[] } {
    const closed = endpoints.filter((id) => this.#isFull(`${this.#paceOf(id)} ${cause}`))
    return { endpoints: closed, hosts: this.#fullHosts(`quick ${cause}`) }
  }

  /** Sorts deliveries by how long their owner was not served; otherwise the lowest ids would take every free slot. */
  leastRecentFirst<Due extends { owner_id: number }>(due: readonly Due[]): Due[] {
    const servedOf = ({ owner_id: owner }: Due) => this.#lastServed.get(owner) ?? 0
    return due.toSorted((one, other) => servedOf(one) - servedOf(other))
  }

  take(due: Pick<DueDelivery, 'id' | 'endpoint_id' | 'owner_id' | 'cause' | 'host'>): boolean {
    const { id, endpoint_id: endpointId, owner_id: ownerId, host, cause } = due
    const request: Request = {
      id,
      endpointId,
      ownerId,
      host,
      cause,
      pace: this.#paceOf(endpointId),
    }
    const lane = laneOf(request)
    const isClosed =
      this.#requests.has(id) ||
      this.#isFull(lane) ||
      (this.#perEndpoint.get(endpointId) ?? 0) >= this.#allowed(endpointId) ||
      (this.#perOwner.get(`${lane} ${ownerId}`) ?? 0) >= LIMITS[lane].perOwner ||
      (this.#perHost.get(`${lane} ${host}`) ?? 0) >= LIMITS[lane].perHost
    if (isClosed) return false
    this.#requests.set(id, request)
    this.#begun += 1
    this.#lastServed.set(ownerId, this.#begun)
    add(this.#perEndpoint, endpointId, 1)
    this.#enter(request, 1)
    return true
  }

  /**
   * Moves a request that has lasted too long to a slow slot. The caller must abort the request at the result `over`.
   */
  slowDown(id: bigint): 'moved' | 'over' | 'kept' {
    const request = this.#requests.get(id)
    if (request === undefined) return 'kept'
    this.#paces.set(request.endpointId, 'slow')
    if (request.pace === 'slow') return 'kept'
    const lane: Lane = `slow ${request.cause}`
    const most = MOST_SLOW[request.cause]
    if (this.#inLane[lane] >= most.hands) return 'over'
    if ((this.#perOwner.get(`${lane} ${request.ownerId}`) ?? 0) >= most.perOwner) return 'over'
    this.#enter(request, -1)
    request.pace = 'slow'
    this.#enter(request, 1)
    return 'moved'
  }

  release(id: bigint, tookMs: number): void {
    const request = this.#requests.get(id)
    if (request === undefined) return
    this.#requests.delete(id)
    this.#paces.set(request.endpointId, tookMs < SLOW_FROM_MS ? 'quick' : 'slow')
    add(this.#perEndpoint, request.endpointId, -1)
    this.#enter(request, -1)
  }

  #isFull(lane: Lane): boolean {
    return this.#inLane[lane] >= LIMITS[lane].hands
  }

  #paceOf(endpointId: number): Pace {
    return this.#paces.get(endpointId) === 'slow' ? 'slow' : 'quick'
  }

  #allowed(endpointId: number): number {
    return this.#paces.get(endpointId) === 'quick' ? MOST_PER_ENDPOINT : 1
  }

  #slowOnes(): number[] {
    return [...this.#paces].filter(([, pace]) => pace === 'slow').map(([id]) => id)
  }

  #fullHosts(lane: Lane): string[] {
    const full = [...this.#perHost].filter(([, count]) => count >= LIMITS[lane].perHost).map(([key]) => key)
    return full.filter((key) => key.startsWith(`${lane} `)).map((key) => key.slice(lane.length + 1))
  }

  #enter(request: Request, count: 1 | -1): void {
    const lane = laneOf(request)
    this.#inLane[lane] += count
    add(this.#perOwner, `${lane} ${request.ownerId}`, count)
    add(this.#perHost, `${lane} ${request.host}`, count)
  }
}

function laneOf({ pace, cause }: Request): Lane {
  return `${pace} ${cause}`
}

function add<Key>(counts: Map<Key, number>, key: Key, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
