import { MINUTE } from '#contract/time.ts'
import { minuteOf, routeBookOf } from '#server/core/catalog/routing/route-book.ts'
import type { Context } from '#server/house/context.ts'
import { countWithin } from '#server/house/limits/count-together.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import { isSandbox } from '#server/house/sandbox.ts'
import { healthBookOf, type Pass } from '../health/health-book.ts'
import { bringBack, failTrial, setAside } from './change-standing.ts'
import { showStandings } from './show-standings.ts'

/** The number of purchases in a row without an answer after which a supplier is taken off sale. */
const FAILURES = 5
const ANSWERS = 2

/** `failed` means no answer or an invalid one; `excused` means a result that says nothing about the supplier. */
export type PurchaseResult = 'bought' | 'refused' | 'failed' | 'excused'

/**
 * Admits a purchase, as a trial if the supplier is off sale. Returns null if no trial is open to the buyer, or the
 * supplier has reached its limit of purchases per minute.
 */
export async function enterPurchase(ctx: Context, supplierId: number, userId: number): Promise<Pass | null> {
  if (isSandbox(ctx)) return 'plain'
  const now = ctx.clock.now()
  if (!routeBookOf(ctx).mayBuy(supplierId, now)) return null
  const pass = healthBookOf(ctx).enter(supplierId, userId)
  // The numbers of the supplier are hidden from other buyers while a trial purchase runs.
  if (pass === 'trial') showStandings(ctx)
  if (pass === null || (await countPurchase(ctx, supplierId, now))) return pass
  notePurchase(ctx, supplierId, { pass, result: 'excused', why: '' })
  return null
}

/** Counts a purchase at all nodes. Returns false if it is one too many for the supplier in this minute. */
async function countPurchase(ctx: Context, supplierId: number, now: Date): Promise<boolean> {
  const own = routeBookOf(ctx).countPurchase(supplierId, now)
  const { perMinute } = routeBookOf(ctx).ruleOf(supplierId)
  if (perMinute === null || ctx.redis === null) return true
  const minute = { name: 'purchases of a minute', caller: `${supplierId} ${minuteOf(now)}` }
  const counted = await countWithin(ctx.redis, minute, MINUTE)
  if (counted !== undefined) return counted <= perMinute
  return own <= Math.max(1, Math.floor(perMinute / nodeOf(ctx).livingNodes))
}

/** Takes a supplier off sale after failures in a row and back after answered trial purchases (a circuit breaker). */
export function notePurchase(
  ctx: Context,
  supplierId: number,
  { pass, result, why }: { pass: Pass; result: PurchaseResult; why: string },
): void {
  if (isSandbox(ctx)) return
  if (pass === 'trial') {
    noteTrial(ctx, supplierId, { result, why })
    return
  }
  if (healthBookOf(ctx).of(supplierId).state === 'aside' || result === 'excused') return
  if (result !== 'failed') {
    healthBookOf(ctx).endRow(supplierId)
    return
  }
  const failures = healthBookOf(ctx).countInARow(supplierId)
  if (failures < FAILURES) return
  const reason = `${failures} purchases in a row without an answer, the last: ${why}`
  ctx.background.run('set a supplier aside', () => setAside(ctx, { supplierId, cause: 'errors', reason }))
}

function noteTrial(ctx: Context, supplierId: number, { result, why }: { result: PurchaseResult; why: string }): void {
  healthBookOf(ctx).leave(supplierId)
  const { state, cause } = healthBookOf(ctx).of(supplierId)
  if (state !== 'aside') return
  if (result === 'failed') {
    const reason = `a purchase to try it had no answer: ${why}`
    ctx.background.run('try a supplier', () => failTrial(ctx, { supplierId, reason }))
    return
  }
  if (cause === 'share' && result === 'bought') return
  healthBookOf(ctx).setSlot(supplierId, 'open')
  const isAnswered = cause === 'errors' && result !== 'excused'
  if (!isAnswered || healthBookOf(ctx).countInARow(supplierId) < ANSWERS) {
    showStandings(ctx)
    return
  }
  const reason = `${ANSWERS} purchases to try it were answered`
  ctx.background.run('bring a supplier back', () => bringBack(ctx, { supplierId, reason }))
}
