import { SECOND } from '#contract/time.ts'
import { type BoundedCache, boundedCache } from '#server/bounded-cache.ts'
import type { Context } from '#server/context.ts'

const MAX_KEPT = 500
/** Prices change with each sale, and anybody may ask for all of them: more often they are not counted. */
const KEPT_MS = 10 * SECOND

type Kept<Value> = { version: string; madeAtMs: number; value: Value }

/** What is made of both catalogues. `key` names what there is, never what somebody wrote. */
export function createKept<Value>(): (ctx: Context, key: string, make: () => Value) => Value {
  const memories = new WeakMap<Context, BoundedCache<string, Kept<Value>>>()
  return (ctx, key, make) => {
    const memory = memories.get(ctx) ?? boundedCache<string, Kept<Value>>(MAX_KEPT)
    memories.set(ctx, memory)
    const version = `${ctx.catalog.version} ${ctx.rentCatalog.version}`
    const nowMs = ctx.clock.now().getTime()
    const found = memory.get(key)
    if (found !== undefined && (found.version === version || nowMs - found.madeAtMs < KEPT_MS)) return found.value
    const value = make()
    memory.set(key, { version, madeAtMs: nowMs, value })
    return value
  }
}
