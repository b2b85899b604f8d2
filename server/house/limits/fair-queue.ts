import { boundedCache } from '#server/house/bounded-cache.ts'
import type { Context } from '#server/house/context.ts'
import { tooBusy } from '#server/house/errors/errors.ts'
import { perContext } from '#server/house/memory.ts'

/**
 * A caller that wants to run work. Callers with the same `key` (an account or a network) share their turns. Known
 * callers have reserved places.
 */
export type Asker = { key: string; isKnown?: boolean }

export function askerOf(userId: number | undefined, network: string): Asker {
  return userId === undefined ? { key: network } : { key: `account ${userId}`, isKnown: true }
}

export type FairQueueOptions = QueueLimits & { full: () => Error; nowMs: () => number }

type QueueLimits = {
  parallel: number
  maxWaiting: { unknown: number; known: number }
  /**
   * The maximum number of a caller's places: `crowded` once a quarter of the visitors' places is taken, else `atEase`.
   */
  maxOfOne: { atEase: number; crowded: number }
  /** A finished piece of work lowers its caller's priority for about this long. */
  forgetMs: number
  /** Work of this duration counts as one piece, shorter work as a fraction. If undefined, all work counts as one. */
  pieceMs?: number
  /** Work that waited longer is dropped, because its client has given up. */
  maxWaitMs: number
}

/** `run` throws TOO_MANY_REQUESTS (503) if no place is free, or if the place was lost to another caller. */
export type WorkQueue = {
  run<T>(ctx: Context, asker: Asker, work: () => Promise<T>): Promise<T>
  isHalfFull(ctx: Context): boolean
}

/**
 * Creates a queue that serves the least served caller first. The real service and the sandbox share it. `name` names
 * the queue in metrics. `full` makes the error that is thrown if no place is free.
 */
export function createFairQueue({
  name,
  retrySeconds,
  full = () => tooBusy(retrySeconds),
  ...limits
}: QueueLimits & { name: string; retrySeconds: number; full?: () => Error }): WorkQueue {
  const queueOf = perContext(
    name,
    { scope: 'process', nodes: 'own', lost: 'nothing: their connections end' },
    (ctx: Pick<Context, 'clock'>) => new FairQueue({ ...limits, full, nowMs: () => ctx.clock.now().getTime() }),
  )
  return {
    run: (ctx, asker, work) => queueOf(ctx).run(asker, work),
    isHalfFull: (ctx) => queueOf(ctx).isHalfFull,
  }
}

type Lane = { isKnown: boolean; tickets: Ticket[] }
type Ticket = PromiseWithResolvers<void> & { number: number; atMs: number }
type Served = { times: number; atMs: number }

const MAX_REMEMBERED = 50_000
const MOST_HELD_AGAINST = 20
/** If signed-in callers and visitors wait, two of three turns go to signed-in callers. */
const KNOWN_IN_A_ROW = 2

/** A queue that serves the least served caller. If full, the caller with most work loses a place to a newcomer. */
export class FairQueue {
  readonly #options: FairQueueOptions
  readonly #lanes = new Map<string, Lane>()
  readonly #served = boundedCache<string, Served>(MAX_REMEMBERED)
  #running = 0
  #unknownWaiting = 0
  #knownWaiting = 0
  #tickets = 0
  #knownInARow = 0

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  get isHalfFull(): boolean {
    return this.#unknownWaiting * 2 >= this.#options.maxWaiting.unknown
  }

  /** Runs the work when its turn comes. Throws the error of `full` if no place is free or the place was lost. */
  async run<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#options.parallel) this.#running += 1
    else await this.#wait(asker)
    const { pieceMs, nowMs } = this.#options
    if (pieceMs === undefined) this.#note(asker.key, 1)
    const begunMs = nowMs()
    try {
      return await work()
    } finally {
      if (pieceMs !== undefined) this.#note(asker.key, (nowMs() - begunMs) / pieceMs)
      this.#next()
    }
  }

  #wait({ key, isKnown = false }: Asker): Promise<void> {
    const lane = this.#lanes.get(key) ?? { isKnown, tickets: [] }
    const { atEase, crowded } = this.#options.maxOfOne
    const isCrowded = this.#unknownWaiting * 4 >= this.#options.maxWaiting.unknown
    if (lane.tickets.length >= (isCrowded ? crowded : atEase)) throw this.#options.full()
    if (this.#isFullFor(isKnown)) this.#dropWorst(isKnown, this.#weight(key, lane) + 1)
    const ticket = {
      ...Promise.withResolvers<void>(),
      number: ++this.#tickets,
      atMs: this.#options.nowMs(),
    }
    lane.tickets.push(ticket)
    this.#lanes.set(key, lane)
    this.#count(lane, 1)
    return ticket.promise
  }

  #isFullFor(isKnown: boolean): boolean {
    const { unknown, known } = this.#options.maxWaiting
    return isKnown ? this.#knownWaiting >= known : this.#unknownWaiting >= unknown
  }

  #dropWorst(isKnown: boolean, newcomerWeight: number): void {
    let worst: { key: string; lane: Lane; weight: number } | undefined
    for (const [key, lane] of this.#lanes) {
      if (lane.isKnown !== isKnown) continue
      const weight = this.#weight(key, lane)
      if (worst === undefined || weight > worst.weight) worst = { key, lane, weight }
    }
    if (worst === undefined || worst.weight <= newcomerWeight) throw this.#options.full()
    this.#turnAway(worst.key, worst.lane, worst.lane.tickets.pop())
  }

  #turnAway(key: string, lane: Lane, ticket: Ticket | undefined): void {
    ticket?.reject(this.#options.full())
    this.#count(lane, -1)
    if (lane.tickets.length === 0) this.#lanes.delete(key)
  }

  /** Drops work that waited too long. Calling this when work ends suffices, because nothing waits unless work runs. */
  #dropStale(): void {
    const since = this.#options.nowMs() - this.#options.maxWaitMs
    for (const [key, lane] of this.#lanes) {
      while ((lane.tickets[0]?.atMs ?? Number.POSITIVE_INFINITY) < since) {
        this.#turnAway(key, lane, lane.tickets.shift())
      }
    }
  }

  #next(): void {
    this.#dropStale()
    const found = this.#leastServed()
    if (found === undefined) {
      this.#running -= 1
      return
    }
    const { key, lane } = found
    const ticket = lane.tickets.shift()
    this.#count(lane, -1)
    this.#knownInARow = lane.isKnown ? this.#knownInARow + 1 : 0
    if (lane.tickets.length === 0) this.#lanes.delete(key)
    // The start is deferred, so that the event loop can serve requests between two pieces of work.
    setImmediate(() => ticket?.resolve())
  }

  #leastServed(): { key: string; lane: Lane } | undefined {
    const wantsKnown = this.#knownWaiting > 0 && this.#knownInARow < KNOWN_IN_A_ROW
    let least: { key: string; lane: Lane; times: number } | undefined
    for (const [key, lane] of this.#lanes) {
      if (this.#unknownWaiting > 0 && lane.isKnown !== wantsKnown) continue
      const times = this.#timesServed(key)
      const isLess = least === undefined || times < least.times
      const isEarlier = least?.times === times && numberOf(lane) < numberOf(least.lane)
      if (isLess || isEarlier) least = { key, lane, times }
    }
    return least
  }

  #weight(key: string, lane: Lane): number {
    return this.#timesServed(key) + lane.tickets.length
  }

  #timesServed(key: string): number {
    const served = this.#served.get(key)
    if (served === undefined) return 0
    const { forgetMs, nowMs } = this.#options
    return Math.max(0, served.times - Math.max(0, nowMs() - served.atMs) / forgetMs)
  }

  #note(key: string, pieces: number): void {
    const times = Math.min(MOST_HELD_AGAINST, this.#timesServed(key) + pieces)
    this.#served.set(key, { times, atMs: this.#options.nowMs() })
  }

  #count(lane: Lane, by: 1 | -1): void {
    if (lane.isKnown) this.#knownWaiting += by
    else this.#unknownWaiting += by
  }
}

function numberOf(lane: Lane): number {
  return lane.tickets[0]?.number ?? Number.POSITIVE_INFINITY
}
