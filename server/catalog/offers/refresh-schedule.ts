import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { suppliersOf } from '#server/suppliers/registry.ts'
import type { Supplier } from '#server/suppliers/supplier.ts'
import { refreshOffers } from './refresh-offers.ts'

/** After the end of its last refresh. */
const EVERY_MS = 15 * SECOND
const MOST_AT_ONCE = 8
/** Whoever took so long last time gets one of these places. */
const SLOW_MS = 2 * SECOND
const MOST_SLOW_AT_ONCE = 4
/** So long somebody waits for all: then the slow ones go on alone. */
const PATIENCE_MS = 5 * SECOND

export type RefreshSchedule = {
  /** Begins what is due, without waiting for it. */
  look(): void
  /** All of them are due now. Whoever is asked at this moment is asked once more. */
  hasten(): void
  stop(): Promise<void>
}

/** Each supplier is asked by a schedule of its own: one that does not answer delays nobody else. */
export function createRefreshSchedule(ctx: Context): RefreshSchedule {
  const underWay = new Map<number, Promise<void>>()
  /** Milliseconds of performance.now, by supplier. */
  const endedMs = new Map<number, number>()
  const slow = new Set<number>()
  const again = new Set<number>()
  const stopping = new AbortController()

  const run = async (supplier: Supplier): Promise<void> => {
    const beganMs = performance.now()
    await refreshLogged(ctx, supplier, stopping.signal)
    const nowMs = performance.now()
    if (nowMs - beganMs > SLOW_MS) slow.add(supplier.id)
    else slow.delete(supplier.id)
    endedMs.set(supplier.id, again.delete(supplier.id) ? nowMs - EVERY_MS : nowMs)
    underWay.delete(supplier.id)
    look()
  }
  const look = (): void => {
    if (stopping.signal.aborted) return
    const nowMs = performance.now()
    const suppliers = suppliersOf(ctx).all()
    const ids = new Set(suppliers.map(({ id }) => id))
    for (const id of [...endedMs.keys()].filter((known) => !ids.has(known))) {
      endedMs.delete(id)
      slow.delete(id)
      again.delete(id)
    }
    // Whoever starts one asks it for its offers.
    for (const id of ids) if (!endedMs.has(id)) endedMs.set(id, nowMs)
    const endOf = ({ id }: Supplier) => endedMs.get(id) ?? nowMs
    const due = suppliers.filter((one) => !underWay.has(one.id) && nowMs - endOf(one) >= EVERY_MS)
    for (const supplier of due.toSorted((a, b) => endOf(a) - endOf(b))) {
      if (underWay.size >= MOST_AT_ONCE) return
      const slowOnes = [...underWay.keys()].filter((id) => slow.has(id)).length
      if (slow.has(supplier.id) && slowOnes >= MOST_SLOW_AT_ONCE) continue
      underWay.set(supplier.id, run(supplier))
    }
  }
  return {
    look,
    hasten() {
      for (const { id } of suppliersOf(ctx).all()) {
        if (underWay.has(id)) again.add(id)
        else endedMs.set(id, performance.now() - EVERY_MS)
      }
      look()
    },
    async stop() {
      stopping.abort()
      await Promise.all(underWay.values())
    },
  }
}

/** All of them at once, within limits. Resolves when they have answered or some are too slow, which go on in the background. */
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
