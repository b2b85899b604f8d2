import { SECOND } from '#contract/time.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { Supplier } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { refreshOffers } from './refresh-offers.ts'

const EVERY_MS = 15 * SECOND
const MOST_AT_ONCE = 8
/** A supplier whose last refresh took longer than this time gets one of the few places for slow suppliers. */
const SLOW_MS = 2 * SECOND
const MOST_SLOW_AT_ONCE = 4
const PATIENCE_MS = 5 * SECOND

export type RefreshSchedule = {
  look(): void
  /** Makes all suppliers due now. A supplier with a running refresh is refreshed once more. */
  hasten(): void
  stop(): Promise<void>
}

/**
 * Creates the schedule that refreshes each supplier separately. A supplier that does not reply delays neither other
 * suppliers nor the supplier object that replaces it.
 */
export function createRefreshSchedule(ctx: Context): RefreshSchedule {
  const underWay = new Map<Supplier, Promise<void>>()
  const endedMs = new WeakMap<Supplier, number>()
  const slow = new WeakSet<Supplier>()
  const again = new WeakSet<Supplier>()
  const stopping = new AbortController()

  const run = async (supplier: Supplier): Promise<void> => {
    const beganMs = performance.now()
    await refreshLogged(ctx, supplier, stopping.signal)
    const nowMs = performance.now()
    if (nowMs - beganMs > SLOW_MS) slow.add(supplier)
    else slow.delete(supplier)
    endedMs.set(supplier, again.delete(supplier) ? nowMs - EVERY_MS : nowMs)
    underWay.delete(supplier)
    look()
  }
  const look = (): void => {
    if (stopping.signal.aborted) return
    const nowMs = performance.now()
    const suppliers = suppliersOf(ctx).all()
    for (const one of suppliers) if (!endedMs.has(one)) endedMs.set(one, nowMs)
    const endOf = (one: Supplier) => endedMs.get(one) ?? nowMs
    // A replaced supplier object no longer occupies a place, although its request may still run.
    const busy = suppliers.filter((one) => underWay.has(one))
    const due = suppliers.filter((one) => !underWay.has(one) && nowMs - endOf(one) >= EVERY_MS)
    for (const supplier of due.toSorted((a, b) => endOf(a) - endOf(b))) {
      if (busy.length >= MOST_AT_ONCE) return
      if (slow.has(supplier) && busy.filter((one) => slow.has(one)).length >= MOST_SLOW_AT_ONCE) continue
      busy.push(supplier)
      underWay.set(supplier, run(supplier))
    }
  }
  return {
    look,
    hasten() {
      for (const one of suppliersOf(ctx).all()) {
        if (underWay.has(one)) again.add(one)
        else endedMs.set(one, performance.now() - EVERY_MS)
      }
      look()
    },
    async stop() {
      stopping.abort()
      await Promise.all(underWay.values())
    },
  }
}

export async function refreshSoon(
  ctx: Context,
  suppliers: readonly Supplier[],
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const waiting = [...suppliers]
  const take = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await refreshLogged(ctx, next)
  }
  const all = Promise.all(Array.from({ length: MOST_AT_ONCE }, take))
  const { promise: patience, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, patienceMs)
  ctx.background.run('refresh offers', () => all)
  await Promise.race([all, patience])
  clearTimeout(timer)
}

async function refreshLogged(ctx: Context, supplier: Supplier, stopping?: AbortSignal): Promise<void> {
  await refreshOffers(ctx, supplier, stopping).catch((error: unknown) =>
    ctx.log.error({ error, supplier: supplier.code }, 'offers of a supplier could not be taken'),
  )
}
