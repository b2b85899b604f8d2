import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { moveTogether } from '#server/house/limits/count-together.ts'
import {
  fullBucket,
  type Move,
  type Moved,
  moveBucket,
  type Rate,
  rateOf,
  takeOne,
  toMs,
  toUs,
} from '#server/house/limits/token-bucket.ts'
import { nodeOf } from '#server/house/nodes/node.ts'

/** Thrown if the request was not sent, so nothing was bought. */
export class Unsent extends Error {
  override name = 'Unsent'
}

/**
 * Keeps our calls below the rate that a supplier allows, and stops them while it wants none. Unlike with the general
 * rate limit, calls wait for their turn, and purchases leave half of the rate to polls.
 */
export type Throttle = {
  /**
   * Resolves when a call may be sent, in order of arrival. `wisher` is the buyer who caused it, if any. Throws Unsent
   * while the supplier wants no calls, or when too many wait.
   */
  pass(wisher?: string): Promise<void>
  /** Stops the calls of all nodes, because the supplier told one of them to wait. */
  closeFor(ms: number): Promise<void>
}

/** The longest wait for a call. Later the caller would be gone. */
const LONGEST_WAIT_MS = 4 * SECOND
const LONGEST_SILENCE_MS = 10 * 60 * SECOND
const TOO_MANY_CALLS = 'too many calls wait for the supplier'
const TOO_MANY_WISHES = 'too many wishes of one buyer wait for the supplier'

/** `supplier` is the code under which all nodes count their calls together. */
type ThrottleOptions = { callsPerSecond: number; supplier: string; now?: () => number }

/**
 * Creates a throttle. Purchases get half of the calls, so that a flood of them cannot delay codes. Polls and ends of
 * numbers may also use the other half. A buyer may take no more waiting places than remain free, so that a few flooding
 * accounts leave some. Real time is used, because the supplier's limit follows it.
 */
export function createThrottle(ctx: Pick<Context, 'memory' | 'redis'>, options: ThrottleOptions): Throttle {
  const { callsPerSecond, supplier, now = () => performance.now() } = options
  const lane = { ctx, now, perSecond: callsPerSecond / 2 }
  const looks = createPacer({ ...lane, caller: `looks ${supplier}` })
  const wishes = createPacer({ ...lane, caller: `wishes ${supplier}` })
  const waiting = new Map<string, number>()
  let closedUntil = 0

  const passAsWisher = async (wisher: string): Promise<void> => {
    const before = waiting.get(wisher) ?? 0
    waiting.set(wisher, before + 1)
    try {
      const taken = wishes.take(before === 0 ? 0 : before + 1)
      const waitMs = taken instanceof Promise ? await taken : taken
      if (waitMs === null) throw new Unsent(before === 0 ? TOO_MANY_CALLS : TOO_MANY_WISHES)
      if (waitMs > 0) await pause(waitMs)
    } finally {
      const left = (waiting.get(wisher) ?? 1) - 1
      if (left === 0) waiting.delete(wisher)
      else waiting.set(wisher, left)
    }
  }
  const passAsLook = async (): Promise<void> => {
    const waitMs = (await looks.takeNow()) ?? (await wishes.takeNow()) ?? (await looks.take(0))
    if (waitMs === null) throw new Unsent(TOO_MANY_CALLS)
    await pause(waitMs)
  }
  const refuseWhileClosed = () => {
    if (closedUntil > now()) throw new Unsent('the supplier wants no calls for a while')
  }

  return {
    async pass(wisher) {
      refuseWhileClosed()
      await (wisher === undefined ? passAsLook() : passAsWisher(wisher))
      refuseWhileClosed()
    },
    async closeFor(ms) {
      const silenceMs = Math.min(ms, LONGEST_SILENCE_MS)
      closedUntil = Math.max(closedUntil, now() + silenceMs)
      for (const pacer of [looks, wishes]) await pacer.pauseOthers(silenceMs)
    },
  }
}

type Pacer = {
  /** Takes the next turn and returns the wait for it in ms. Returns null if fewer than `places` waiting places remain. */
  take(places: number): Wait | Promise<Wait>
  /** Takes a turn for a call at once. Returns null if there is none. */
  takeNow(): Wait | Promise<Wait>
  pauseOthers(ms: number): Promise<void>
}
type Wait = number | null

type PacerOptions = { ctx: Pick<Context, 'memory' | 'redis'>; now: () => number; perSecond: number; caller: string }

function createPacer({ ctx, now, perSecond, caller }: PacerOptions): Pacer {
  // The burst allows calls at once as long as one second has no more calls than the limit.
  const limit = { burst: Math.max(1, perSecond), refillMs: SECOND / perSecond, longestWaitMs: LONGEST_WAIT_MS }
  const whole = rateOf(limit)
  const bucket = fullBucket()
  const moveOwn = (move: Move) => moveBucket(bucket, Math.floor(toUs(now())), move)
  const take = (moveOf: (rate: Rate, nodes: number) => Move) => {
    const { redis, memory } = ctx
    if (redis === null) return waitOf(whole, moveOwn(moveOf(whole, 1)))
    const moving = { name: 'calls of a supplier', caller, limit, moveOf, moveOwn }
    return moveTogether({ redis, memory }, moving).then(({ rate, ...moved }) => waitOf(rate, moved))
  }
  return {
    // On each of the nodes, the buyer may hold as many places.
    take: (places) => take((rate, nodes) => takeOne(rate, (places * nodeOf(ctx).livingNodes) / nodes)),
    takeNow: () => take((rate) => ({ ...takeOne(rate, 0), allowedUs: rate.burstUs })),
    async pauseOthers(ms) {
      if (ctx.redis === null) return
      await take(({ burstUs, mostUs }) => {
        // The bucket owes its burst, too, so that no call is sent before the pause ends. A second pause adds nothing.
        const costUs = burstUs + toUs(ms)
        return { costUs, allowedUs: costUs + mostUs, mostUs: costUs + mostUs }
      })
    },
  }
}

function waitOf({ burstUs }: Rate, { missingUs, owedUs }: Moved): Wait {
  return missingUs > 0 ? null : toMs(Math.max(0, owedUs - burstUs))
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
}
