import type { SupplierRole } from '#server/core/suppliers/supplier.ts'
import { boundedCache } from '#server/house/bounded-cache.ts'
import type { Context } from '#server/house/context.ts'
import { type Loop, startLoop } from '#server/house/jobs/loop.ts'
import { isTogether } from '#server/house/nodes/node.ts'
import { isSandbox, sandboxSupplyOf } from '#server/house/sandbox.ts'
import { behaviourOf, behaviours } from './behaviours.ts'
import type { Deliveries, Sold } from './deliveries.ts'
import { listAwaiting } from './queries.ts'
import type { Timers } from './timers.ts'

const MAX_AWAITING = 10_000
/** The operators that send messages or withdraw numbers. */
const ACTING = behaviours
  .filter(({ messagesAfterMs, refusedAfterMs }) => messagesAfterMs.length > 0 || refusedAfterMs !== undefined)
  .map(({ operator }) => operator)
const LOOK_MS = 250

export type Promises = {
  start(role?: SupplierRole): Promise<void>
  stop(): Promise<void>
  /** Schedules the messages of a number, if this node receives for the simulator. */
  promise(sold: Sold, round: number): void
}

/** Schedules the messages of sold numbers: at the sale, and at the start or a sale of another node from the tables. */
export function createPromises(
  ctx: Context,
  {
    supplierId,
    deliveries,
    rent,
    timers,
  }: { supplierId: number; deliveries: Deliveries; rent: { promiseAll(): Promise<void> }; timers: Timers },
): Promises {
  let isReceiving = true
  let looking: Loop | undefined
  /** The numbers whose messages are scheduled, each with the count of requests for another code. */
  const promised = boundedCache<string, true>(MAX_AWAITING)
  const promise = (sold: Sold, round: number) => {
    if (!isReceiving) return
    promised.set(`${sold.reference}-${round}`, true)
    deliveries.promise(sold, round)
  }
  const promiseAll = async () => {
    await rent.promiseAll()
    for (const number of await listAwaiting(ctx.db, { supplierId, operators: ACTING, limit: MAX_AWAITING })) {
      const { service_code: serviceCode, phone, expires_at: expiresAt, state, sms_count: count } = number
      const behaviour = behaviourOf(number.operator)
      const reference = `${number.id}-${number.attempt}`
      if (behaviour === undefined || phone === null) continue
      // A message without a code also counts, but asks for no further message.
      const isKnown = promised.has(`${reference}-${count}`) || (state === 'waiting' && promised.has(`${reference}-0`))
      if (!isKnown) promise({ reference, serviceCode, phone, expiresAt, behaviour }, count)
    }
  }
  return {
    promise,
    async start({ receives = true } = {}) {
      isReceiving = receives
      await deliveries.start()
      if (!receives) return
      await promiseAll()
      // A sandbox that nobody uses has no offers, so its numbers are not looked for.
      const work = async () => {
        if (!isSandbox(ctx) || sandboxSupplyOf(ctx).pricedBy !== null) await promiseAll()
      }
      // Other nodes sell, too, and this node delivers the messages of their numbers.
      if (isTogether(ctx)) looking = startLoop(ctx.log, { name: 'simulated sales', everyMs: LOOK_MS, work })
    },
    async stop() {
      await looking?.stop()
      looking = undefined
      timers.forgetAll()
      promised.clear()
    },
  }
}
