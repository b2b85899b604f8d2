import { MINUTE } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { networkOf } from '#server/house/http/door/network-of.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'

const perAddress = createRateLimit({ name: 'guessed codes of a network', burst: 30, refillMs: MINUTE / 20 })
const perPair = createRateLimit({ name: 'guessed codes of a network for an account', burst: 10, refillMs: MINUTE / 2 })

/**
 * Limits guesses of mailed codes and reset links per network, and per network and account, so that nobody can lock
 * others out. Throws TOO_MANY_REQUESTS.
 */
export async function limitGuesses(ctx: Context, input: { address: string; account: string }): Promise<void> {
  const network = networkOf(input.address)
  await perAddress.spend(ctx, network)
  await perPair.spend(ctx, `${network} ${input.account}`)
}
