import { MINUTE, SECOND } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { tooManyRequests } from '#server/errors.ts'
import { networkOf } from '#server/http/network-of.ts'
import { createRateLimit } from '#server/http/rate-limit.ts'

/** What one address may cause to be mailed, over all recipients. */
const perAddress = createRateLimit({ burst: 20, refillMs: MINUTE / 20 })
/** To one recipient. Others may still ask for theirs: nobody can keep a person out by asking for him. */
const perPair = createRateLimit({ burst: 6, refillMs: MINUTE })
/** To one recipient by whomever, so that many addresses together cannot flood a mailbox. */
const perRecipient = createRateLimit({ burst: 30, refillMs: MINUTE })

/**
 * Whoever has a mail sent takes a turn, whether or not one is sent in the end: the answer must not tell.
 * Throws TOO_MANY_REQUESTS. `email` in lower case.
 */
export function takeMailTurn(ctx: Context, input: { address: string; email: string }): void {
  const now = ctx.clock.now()
  const network = networkOf(input.address)
  const waitMs =
    perAddress.take(ctx, network, now) ||
    perPair.take(ctx, `${network} ${input.email}`, now) ||
    perRecipient.take(ctx, input.email, now)
  if (waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / SECOND))
}
