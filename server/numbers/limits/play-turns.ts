import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { tooManyRequests } from '#server/errors.ts'
import { createRateLimit } from '#server/http/door/rate-limit.ts'
import { isSandbox } from '#server/sandbox-world.ts'

/** About what the play money of a day buys, and as many again as a test gives back. */
const perAccount = createRateLimit({ burst: 1_000, refillMs: 30 * SECOND })

/**
 * Each purchase in the sandbox is a row for good, and each further code a message. What comes back is spent by no limit, and
 * costs no money that anybody paid. Throws TOO_MANY_REQUESTS.
 */
export function takePlayTurn(ctx: Context, userId: number): void {
  if (!isSandbox(ctx)) return
  const waitMs = perAccount.take(ctx, String(userId), ctx.clock.now())
  if (waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / SECOND))
}
