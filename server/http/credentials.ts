import { SECOND } from '#contract/time.ts'
import { type BoundedCache, boundedCache } from '#server/bounded-cache.ts'
import type { Context } from '#server/context.ts'
import { tooManyRequests } from '#server/errors.ts'
import { createRateLimit } from './door/rate-limit.ts'
import { noteRefusal, type RefusalKind } from './door/refusals.ts'

/** Refused credentials of one network. Each costs a look-up in the database. */
const refused = createRateLimit({ burst: 60, refillMs: SECOND })
const MAX_GOOD = 50_000

const perContext = new WeakMap<Context, BoundedCache<string, true>>()

/**
 * Looks a token or key up by its hash. Only refusals count against the network, and what was good lately is looked up all
 * the same: whoever guesses behind a shared address locks out nobody who is at work there. Throws TOO_MANY_REQUESTS.
 */
export async function lookUpCredential<T>(
  ctx: Context,
  credential: { kind: RefusalKind; hash: Buffer; network: string },
  lookUp: () => Promise<T | null>,
): Promise<T | null> {
  const { kind, hash, network } = credential
  const good = goodOnes(ctx)
  const key = hash.toString('base64')
  if (!good.has(key)) {
    // Counted before it is looked up, so that many at once gain nothing.
    const waitMs = refused.take(ctx, network, ctx.clock.now())
    if (waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / SECOND))
    const found = await lookUp().catch((error: unknown) => {
      refused.giveBack(ctx, network)
      throw error
    })
    if (found !== null) {
      refused.giveBack(ctx, network)
      good.set(key, true)
      return found
    }
  } else {
    const found = await lookUp()
    if (found !== null) return found
    good.delete(key)
  }
  noteRefusal(ctx, { kind, network })
  return null
}

/** A token that was just given out: good before anybody has shown it. */
export function rememberCredential(ctx: Context, hash: Buffer): void {
  goodOnes(ctx).set(hash.toString('base64'), true)
}

function goodOnes(ctx: Context): BoundedCache<string, true> {
  const known = perContext.get(ctx) ?? boundedCache<string, true>(MAX_GOOD)
  perContext.set(ctx, known)
  return known
}
