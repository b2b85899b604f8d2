import { SECOND } from '#contract/time.ts'
import { boundedCache } from '#server/bounded-cache.ts'
import type { DueDelivery } from '#server/webhooks/queries/sending.ts'

/** Requests that were begun within the last second. */
const QUICK_HANDS = 128
/** Those that take longer, and those to endpoints that took longer before: they wait for each other alone. */
const SLOW_HANDS = 64
/** With those that moved there from the quick lane: what becomes slow beyond it is cut off, so the quick lane stays free. */
const MOST_SLOW = 384
/** To an endpoint that answers; one that is not known to do so has one. */
export const MOST_PER_ENDPOINT = 4
/** In each lane, so that whoever hangs at a host closes it to others that hang. */
const MOST_PER_HOST = 32
export const SLOW_FROM_MS = SECOND
const MOST_KNOWN = 10_000

const QUICK_KEY = 'quick '

type Pace = 'quick' | 'slow'
type Request = { id: bigint; endpointId: number; host: string; lane: Pace }

/** Who may send now. Requests in the quick lane move to the slow one when they last, so a host that hangs holds no hand for long. */
export class Hands {
  readonly #requests = new Map<bigint, Request>()
  readonly #paces = boundedCache<number, Pace>(MOST_KNOWN)
  readonly #perEndpoint = new Map<number, number>()
  readonly #perHost = new Map<string, number>()
  readonly #inLane = { quick: 0, slow: 0 }

  get sending(): bigint[] {
    return [...this.#requests.keys()]
  }

  get isIdle(): boolean {
    return this.#requests.size === 0
  }

  get free(): number {
    return QUICK_HANDS - this.#inLane.quick
  }

  get isFull(): boolean {
    return this.free <= 0
  }

  /** Endpoints and hosts that nothing can be begun for; `take` has the last word. */
  closed(): { endpoints: number[]; hosts: string[] } {
    const full = [...this.#perEndpoint].filter(([id, count]) => count >= this.#allowed(id)).map(([id]) => id)
    const slow = this.#inLane.slow < SLOW_HANDS ? [] : this.#slowOnes()
    return { endpoints: [...new Set([...full, ...slow])], hosts: this.#fullHosts() }
  }

  /** False: not now. */
  take(due: Pick<DueDelivery, 'id' | 'endpoint_id' | 'host'>): boolean {
    const { id, endpoint_id: endpointId, host } = due
    const lane = this.#paces.get(endpointId) === 'slow' ? 'slow' : 'quick'
    const isClosed =
      this.#requests.has(id) ||
      this.#inLane[lane] >= (lane === 'quick' ? QUICK_HANDS : SLOW_HANDS) ||
      (this.#perEndpoint.get(endpointId) ?? 0) >= this.#allowed(endpointId) ||
      (this.#perHost.get(`${lane} ${host}`) ?? 0) >= MOST_PER_HOST
    if (isClosed) return false
    this.#requests.set(id, { id, endpointId, host, lane })
    add(this.#perEndpoint, endpointId, 1)
    this.#enter(lane, host, 1)
    return true
  }

  /** It has lasted as long as a quick request may. `over`: too many do, so it is to be cut off. */
  slowDown(id: bigint): 'moved' | 'over' | 'kept' {
    const request = this.#requests.get(id)
    if (request === undefined) return 'kept'
    this.#paces.set(request.endpointId, 'slow')
    if (request.lane === 'slow') return 'kept'
    if (this.#inLane.slow >= MOST_SLOW) return 'over'
    this.#enter('quick', request.host, -1)
    request.lane = 'slow'
    this.#enter('slow', request.host, 1)
    return 'moved'
  }

  release(id: bigint, tookMs: number): void {
    const request = this.#requests.get(id)
    if (request === undefined) return
    this.#requests.delete(id)
    this.#paces.set(request.endpointId, tookMs < SLOW_FROM_MS ? 'quick' : 'slow')
    add(this.#perEndpoint, request.endpointId, -1)
    this.#enter(request.lane, request.host, -1)
  }

  #allowed(endpointId: number): number {
    return this.#paces.get(endpointId) === 'quick' ? MOST_PER_ENDPOINT : 1
  }

  #slowOnes(): number[] {
    return [...this.#paces].filter(([, pace]) => pace === 'slow').map(([id]) => id)
  }

  #fullHosts(): string[] {
    const full = [...this.#perHost].filter(([, count]) => count >= MOST_PER_HOST).map(([key]) => key)
    return full.filter((key) => key.startsWith(QUICK_KEY)).map((key) => key.slice(QUICK_KEY.length))
  }

  #enter(lane: Pace, host: string, count: 1 | -1): void {
    this.#inLane[lane] += count
    add(this.#perHost, `${lane} ${host}`, count)
  }
}

function add<Key>(counts: Map<Key, number>, key: Key, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
