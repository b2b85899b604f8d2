import { setImmediate } from 'node:timers/promises'
import { SECOND } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import { boundedCache } from '#server/house/bounded-cache.ts'
import type { Context } from '#server/house/context.ts'
import { perContext } from '#server/house/memory.ts'

const MAX_KEPT = 500
/** Anybody may request prices, which change with each sale, so replies are computed no more often than this. */
const KEPT_MS = 10 * SECOND
export const WHOLE_CACHED_MS = 30 * SECOND

type Kept<Value> = { version: string; madeAtMs: number; value: Promise<Value> }
type Keep<Value> = (ctx: Context, key: string, make: () => Promise<Value>, cachedMs?: number) => Promise<Value>

/**
 * Makes a cache of values from the catalogues of activations and rentals. Cache keys must hold no text from a caller.
 */
export function createReplyCache<Value>(name: string): Keep<Value> {
  const memoryOf = perContext(
    name,
    { scope: 'world', nodes: 'own', lost: 'nothing: it is made from the catalog' },
    () => boundedCache<string, Kept<Value>>(MAX_KEPT),
  )
  return (ctx, key, make, cachedMs = KEPT_MS) => {
    const memory = memoryOf(ctx)
    const version = `${catalogOf(ctx).version} ${rentCatalogOf(ctx).version}`
    const nowMs = ctx.clock.now().getTime()
    const found = memory.get(key)
    if (found !== undefined && (found.version === version || nowMs - found.madeAtMs < cachedMs)) return found.value
    const made = { version, madeAtMs: nowMs, value: make() }
    memory.set(key, made)
    return made.value.catch((error: unknown) => {
      if (memory.get(key) === made) memory.delete(key)
      throw error
    })
  }
}

/** Runs `work` for each country. Other requests run in between, because there are some hundred thousand prices. */
export async function inSlices(places: readonly number[], work: (id: number) => void): Promise<void> {
  for (const [at, id] of places.entries()) {
    if (at > 0) await setImmediate()
    work(id)
  }
}
