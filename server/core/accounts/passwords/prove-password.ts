import { MINUTE } from '#contract/time.ts'
import { isPassword } from '#server/core/accounts/users/password.ts'
import type { Context } from '#server/house/context.ts'
import { wrongPassword } from '#server/house/errors/errors.ts'
import { networkOf } from '#server/house/http/door/network-of.ts'
import { askerOf } from '#server/house/limits/fair-queue.ts'
import { createGuessLimit } from '#server/house/limits/guess-limit.ts'

const guesses = createGuessLimit({
  name: 'wrong passwords of a session',
  free: 5,
  firstWaitMs: MINUTE,
  maxWaitMs: 15 * MINUTE,
})

/** Checks the current password; an account without one passes. Throws WRONG_PASSWORD, TOO_MANY_REQUESTS. */
export async function provePassword(
  ctx: Context,
  user: { id: number; password_hash: string | null },
  shown: { password: string | undefined; field: string; address: string },
): Promise<void> {
  if (user.password_hash === null) return
  // The rate limit counts guesses per account and network, so that a guesser elsewhere does not delay the owner.
  const network = networkOf(shown.address)
  const guesser = `${user.id} at ${network}`
  await guesses.spend(ctx, guesser)
  if (!(await isPassword(ctx, askerOf(user.id, network), shown.password ?? '', user.password_hash)))
    throw wrongPassword(shown.field)
  await guesses.forgive(ctx, guesser)
}
