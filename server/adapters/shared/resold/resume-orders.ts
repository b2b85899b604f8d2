import { DAY, SECOND } from '#contract/time.ts'
import { isTogether } from '#server/house/nodes/node.ts'
import { pairOf, type ResoldAccount } from './account.ts'
import { keepOpen } from './open-numbers.ts'
import { listUnfinished, MAX_OPEN, type ResoldOrder } from './queries/orders.ts'

/** The age up to which unfinished orders are loaded. No activation lasts longer. */
const OPEN_FOR_MS = 3 * DAY
/** The time after which a purchase request is certainly over. */
const ASKED_FOR_MS = 60 * SECOND
/** The longest interval between loads, in seconds. It delays codes of numbers that another supplier object bought. */
const LONGEST_SECONDS = 15

/**
 * Returns the seconds between loads of stored orders: the interval of balance requests, within 1 to LONGEST_SECONDS.
 */
export function resumeSeconds({ balanceSeconds }: { balanceSeconds: number }): number {
  return Math.min(LONGEST_SECONDS, Math.max(1, balanceSeconds))
}

/**
 * Loads orders stored by another object of the same supplier. A change of settings replaces the object, but the former
 * one still completes purchases. `isStart` means that this object has sent no request yet.
 */
export async function resumeOrders(account: ResoldAccount, { isStart }: { isStart: boolean }): Promise<void> {
  const { ctx, supplierId, open, lost } = account
  const now = ctx.clock.now().getTime()
  // An order that changes in memory during this query is newer than its row.
  const [wereOpen, wereLost] = [new Set(open.keys()), new Set(lost.keys())]
  const orders = await listUnfinished(ctx.db, { supplierId, since: new Date(now - OPEN_FOR_MS) })
  for (const order of orders) {
    const { reference, state, askedAt } = order
    if (state === 'asking') {
      wereLost.delete(reference)
      const isUnderWay = account.asking.has(reference) || (!isStart && now - askedAt.getTime() <= ASKED_FOR_MS)
      if (!isUnderWay) lost.set(reference, pairOf(order))
    } else if (!wereOpen.has(reference)) keepOpen(account, order)
    else followRound(account, order)
  }
  for (const reference of wereLost) lost.delete(reference)
  if (!isTogether(ctx) || orders.length >= MAX_OPEN) return
  // Another node has ended the other orders.
  const unfinished = new Set(orders.map(({ reference }) => reference))
  for (const reference of wereOpen) if (!unfinished.has(reference)) open.delete(reference)
}

/** Updates a number for which the former supplier object requested another code, unless the row is older. */
function followRound({ open }: ResoldAccount, { reference, rounds, roundTaken }: ResoldOrder): void {
  const known = open.get(reference)
  if (known === undefined || rounds < known.rounds) return
  if (rounds === known.rounds && (known.roundTaken || !roundTaken)) return
  const nowMs = performance.now()
  Object.assign(known, { rounds, roundTaken, roundSinceMs: nowMs, wantedSinceMs: nowMs })
}
