import { HOUR, MINUTE, SECOND } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { tooManyRequests } from '#server/errors.ts'
import { createGuessLimit } from '#server/http/door/guess-limit.ts'

/** Five tries, then a quarter of an hour, then twice that, and an hour for each further one: a day is not enough for a thousandth of a chance. */
const tries = createGuessLimit({ free: 5, firstWaitMs: 15 * MINUTE, maxWaitMs: HOUR })

/** Runs `check` as one try of `guesser`; a right code forgets the wrong ones. Throws TOO_MANY_REQUESTS. */
export async function tryCode(ctx: Context, guesser: string, check: () => Promise<boolean>): Promise<boolean> {
  const waitMs = tries.take(ctx, guesser, ctx.clock.now())
  if (waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / SECOND))
  const right = await check()
  if (right) tries.forgive(ctx, guesser)
  return right
}
