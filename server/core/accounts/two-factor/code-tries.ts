import { HOUR, MINUTE } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { createGuessLimit } from '#server/house/limits/guess-limit.ts'

/** A longest delay of one hour keeps a guesser's chance in a day below one in a thousand. */
const tries = createGuessLimit({
  name: 'wrong second factors of an account',
  free: 5,
  firstWaitMs: 15 * MINUTE,
  maxWaitMs: HOUR,
})

export async function tryCode(ctx: Context, guesser: string, check: () => Promise<boolean>): Promise<boolean> {
  await tries.spend(ctx, guesser)
  const right = await check()
  if (right) await tries.forgive(ctx, guesser)
  return right
}
