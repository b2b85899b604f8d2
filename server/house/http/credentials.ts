import { SECOND } from '#contract/time.ts'
import { boundedCache } from '#server/house/bounded-cache.ts'
import type { Context } from '#server/house/context.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { perContext } from '#server/house/memory.ts'
import { noteRefusal, type RefusalKind } from './door/refusals.ts'

const refused = createRateLimit({ name: 'refused credentials of a network', burst: 60, refillMs: SECOND })
const MAX_GOOD = 50_000

const goodOnesOf = perContext(
  'good credentials',
  { scope: 'process', nodes: 'own', lost: 'nothing: each is looked up again' },
  () => boundedCache<string, true>(MAX_GOOD),
)

/**
 * Looks a credential up, and limits failed look-ups per network. Credentials known to be good bypass the limit, so that
 * an attacker behind a shared address locks nobody out.
 */
export async function lookUpCredential<T>(
  ctx: Context,
  credential: { kind: RefusalKind; hash: Buffer; network: string },
  lookUp: () => Promise<T | null>,
): Promise<T | null> {
  const { kind, hash, network } = credential
  const good = goodOnesOf(ctx)
  const key = hash.toString('base64')
  if (!good.has(key)) {
    // The attempt is counted before the query, so that parallel guesses cannot bypass the limit.
    await refused.spend(ctx, network)
    const found = await lookUp().catch(async (error: unknown) => {
      await refused.giveBack(ctx, network)
      throw error
    })
    if (found !== null) {
      await refused.giveBack(ctx, network)
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

/** Logs and counts a credential as unknown although it was found. Throws TOO_MANY_REQUESTS after too many failures. */
export async function refuseCredential(
  ctx: Context,
  { kind, network }: { kind: RefusalKind; network: string },
): Promise<void> {
  await refused.spend(ctx, network)
  noteRefusal(ctx, { kind, network })
}

/** Marks a new token as good, so that its first use already bypasses the limit of failed look-ups. */
export function rememberCredential(ctx: Context, hash: Buffer): void {
  goodOnesOf(ctx).set(hash.toString('base64'), true)
}
