import { MINUTE, SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { tooManyRequests } from '#server/house/errors/errors.ts'
import { networkOf } from '#server/house/http/door/network-of.ts'
import { createRateLimit } from '#server/house/http/door/rate-limit.ts'

const perAddress = createRateLimit({ name: 'guessed codes of a network', burst: 30, refillMs: MINUTE / 20 })
const perPair = createRateLimit({ name: 'guessed codes of a network for an account', burst: 10, refillMs: MINUTE / 2 })

/** Limits guesses per network, and per network and account: nobody can lock others out. Throws TOO_MANY_REQUESTS. */
export function limitGuesses(ctx: Context, input: { address: string; account: string }): void {
  const now = ctx.clock.now()
  const network = networkOf(input.address)
  const waitMs = perAddress.take(ctx, network, now) || perPair.take(ctx, `${network} ${input.account}`, now)
  if (waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / SECOND))
}
